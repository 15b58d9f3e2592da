;; One row of a picture, taken from a plate four pixels at a time.
;;
;; A run of four pixels lies side by side on the plate and begins somewhere between the plate's pixels. Where, is known
;; for two rows, one above and one below, and mixed for the rows in between. Each pixel is mixed of its four neighbours
;; on the plate, with four shares that are the same all along the run and add up to 256.
;;
;; A place is two integers, across and down, in 1/65536 pixel. A pixel has four bytes. Rows are given by the addresses
;; where they begin, and the plate's width in bytes.
(module
  (import "bend" "memory" (memory 1))
  (func (export "bendRow")
    (param $plate i32) (param $plateWidth i32)
    ;; the places known above and below, and how far down between them the row lies, in 1/16
    (param $above i32) (param $below i32) (param $depth i32)
    (param $picture i32) (param $end i32)
    (local $x i32) (local $y i32) (local $upper i32) (local $lower i32) (local $right i32) (local $down i32) (local $both i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $wa v128) (local $wb v128) (local $wc v128) (local $wd v128)
    (loop $run
      (local.set $x (call $mix (i32.load (local.get $above)) (i32.load (local.get $below)) (local.get $depth)))
      (local.set $y (call $mix (i32.load offset=4 (local.get $above)) (i32.load offset=4 (local.get $below)) (local.get $depth)))
      (local.set $right (i32.and (i32.shr_u (local.get $x) (i32.const 8)) (i32.const 255)))
      (local.set $down (i32.and (i32.shr_u (local.get $y) (i32.const 8)) (i32.const 255)))
      (local.set $both (i32.shr_u (i32.mul (local.get $right) (local.get $down)) (i32.const 8)))
      (local.set $wd (i16x8.splat (local.get $both)))
      (local.set $wc (i16x8.splat (i32.sub (local.get $down) (local.get $both))))
      (local.set $wb (i16x8.splat (i32.sub (local.get $right) (local.get $both))))
      (local.set $wa (i16x8.splat
        (i32.sub (i32.add (i32.const 256) (local.get $both)) (i32.add (local.get $right) (local.get $down)))))
      (local.set $upper (i32.add
        (i32.add (local.get $plate) (i32.mul (i32.shr_u (local.get $y) (i32.const 16)) (local.get $plateWidth)))
        (i32.shl (i32.shr_u (local.get $x) (i32.const 16)) (i32.const 2))))
      (local.set $lower (i32.add (local.get $upper) (local.get $plateWidth)))
      (local.set $a (v128.load (local.get $upper)))
      (local.set $b (v128.load offset=4 (local.get $upper)))
      (local.set $c (v128.load (local.get $lower)))
      (local.set $d (v128.load offset=4 (local.get $lower)))
      (v128.store (local.get $picture) (i8x16.narrow_i16x8_u
        (i16x8.shr_u (i16x8.add
          (i16x8.add
            (i16x8.mul (i16x8.extend_low_i8x16_u (local.get $a)) (local.get $wa))
            (i16x8.mul (i16x8.extend_low_i8x16_u (local.get $b)) (local.get $wb)))
          (i16x8.add
            (i16x8.mul (i16x8.extend_low_i8x16_u (local.get $c)) (local.get $wc))
            (i16x8.mul (i16x8.extend_low_i8x16_u (local.get $d)) (local.get $wd)))) (i32.const 8))
        (i16x8.shr_u (i16x8.add
          (i16x8.add
            (i16x8.mul (i16x8.extend_high_i8x16_u (local.get $a)) (local.get $wa))
            (i16x8.mul (i16x8.extend_high_i8x16_u (local.get $b)) (local.get $wb)))
          (i16x8.add
            (i16x8.mul (i16x8.extend_high_i8x16_u (local.get $c)) (local.get $wc))
            (i16x8.mul (i16x8.extend_high_i8x16_u (local.get $d)) (local.get $wd)))) (i32.const 8))))
      (local.set $above (i32.add (local.get $above) (i32.const 8)))
      (local.set $below (i32.add (local.get $below) (i32.const 8)))
      (local.set $picture (i32.add (local.get $picture) (i32.const 16)))
      (br_if $run (i32.lt_u (local.get $picture) (local.get $end)))))

  (func $mix (param $from i32) (param $to i32) (param $depth i32) (result i32)
    (i32.add (local.get $from)
      (i32.shr_s (i32.mul (i32.sub (local.get $to) (local.get $from)) (local.get $depth)) (i32.const 4)))))
