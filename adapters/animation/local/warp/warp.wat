;; Rows of a picture, taken from plates and laid over each other, four pixels (a run) at a time.
;;
;; Where a run begins on its plate is known for two rows, one above and one below, and mixed for the rows in between; the
;; run ends where the next one begins, and its pixels lie evenly between. Each pixel is mixed of its four neighbours on the
;; plate. A place is two integers, across and down, in 1/65536 pixel. A pixel is four bytes, its colour already multiplied
;; by its alpha. Rows are given by the addresses where they begin, plates also by their width in bytes.
;;
;; The memory begins with two tables of 16-bit numbers, eight an entry, for what no instruction spreads quickly: at 0, for each
;; 256th of a pixel, the shares of a left and a right neighbour, four times each; at 4096, for each share of 256, it eight times.
(module
  (import "warp" "memory" (memory 1))

  ;; The row's own pixels: the plate is opaque.
  (func (export "take")
    (param $plate i32) (param $stride i32) (param $above i32) (param $below i32) (param $depth i32) (param $rise i32)
    (param $picture i32) (param $end i32)
    (local $x i32) (local $y i32) (local $dx i32) (local $dy i32) (local $nextX i32) (local $nextY i32)
    (local.set $nextX (call $mix (i32.load (local.get $above)) (i32.load (local.get $below)) (local.get $depth) (local.get $rise)))
    (local.set $nextY (call $mix (i32.load offset=4 (local.get $above)) (i32.load offset=4 (local.get $below)) (local.get $depth) (local.get $rise)))
    (loop $run
      (local.set $x (local.get $nextX))
      (local.set $y (local.get $nextY))
      (local.set $nextX (call $mix (i32.load offset=8 (local.get $above)) (i32.load offset=8 (local.get $below)) (local.get $depth) (local.get $rise)))
      (local.set $nextY (call $mix (i32.load offset=12 (local.get $above)) (i32.load offset=12 (local.get $below)) (local.get $depth) (local.get $rise)))
      (local.set $dx (i32.shr_s (i32.sub (local.get $nextX) (local.get $x)) (i32.const 2)))
      (local.set $dy (i32.shr_s (i32.sub (local.get $nextY) (local.get $y)) (i32.const 2)))
      (v128.store (local.get $picture) (i8x16.narrow_i16x8_u
        (call $two (local.get $plate) (local.get $stride) (local.get $x) (local.get $y) (local.get $dx) (local.get $dy))
        (call $two (local.get $plate) (local.get $stride)
          (i32.add (local.get $x) (i32.shl (local.get $dx) (i32.const 1)))
          (i32.add (local.get $y) (i32.shl (local.get $dy) (i32.const 1)))
          (local.get $dx) (local.get $dy))))
      (local.set $above (i32.add (local.get $above) (i32.const 8)))
      (local.set $below (i32.add (local.get $below) (i32.const 8)))
      (local.set $picture (i32.add (local.get $picture) (i32.const 16)))
      (br_if $run (i32.lt_u (local.get $picture) (local.get $end)))))

  ;; The same where the whole row lies level on the plate and the rows above and below begin their runs at the same places:
  ;; what lies over each other on the plate is mixed first, for the row at once, into `mixed`.
  (func (export "level")
    (param $plate i32) (param $stride i32) (param $above i32) (param $below i32) (param $depth i32) (param $rise i32)
    (param $picture i32) (param $end i32) (param $mixed i32)
    (local $x i32) (local $y i32) (local $dx i32) (local $next i32) (local $from i32) (local $to i32) (local $last i32)
    (local $down v128) (local $up v128) (local $top v128) (local $bottom v128)
    (local.set $next (i32.load (local.get $above)))
    (local.set $y (call $mix (i32.load offset=4 (local.get $above)) (i32.load offset=4 (local.get $below)) (local.get $depth) (local.get $rise)))
    (local.set $down (i16x8.splat (i32.and (i32.shr_u (local.get $y) (i32.const 8)) (i32.const 255))))
    (local.set $up (i16x8.sub (v128.const i16x8 256 256 256 256 256 256 256 256) (local.get $down)))
    ;; From the first pixel that is looked at to the last, and its neighbour.
    (local.set $from (i32.shl (i32.shr_u (local.get $next) (i32.const 16)) (i32.const 2)))
    (local.set $to (i32.add (local.get $mixed) (local.get $from)))
    (local.set $last (i32.add (i32.add (local.get $mixed) (i32.const 8)) (i32.shl
      (i32.shr_u (i32.load (i32.add (local.get $above) (i32.shr_u (i32.sub (local.get $end) (local.get $picture)) (i32.const 1)))) (i32.const 16))
      (i32.const 2))))
    (local.set $from (i32.add (local.get $from) (i32.add (local.get $plate)
      (i32.mul (i32.shr_u (local.get $y) (i32.const 16)) (local.get $stride)))))
    (loop $four
      (local.set $top (v128.load (local.get $from)))
      (local.set $bottom (v128.load (i32.add (local.get $from) (local.get $stride))))
      (v128.store (local.get $to) (i8x16.narrow_i16x8_u
        (call $between (i16x8.extend_low_i8x16_u (local.get $top)) (i16x8.extend_low_i8x16_u (local.get $bottom)) (local.get $up) (local.get $down))
        (call $between (i16x8.extend_high_i8x16_u (local.get $top)) (i16x8.extend_high_i8x16_u (local.get $bottom)) (local.get $up) (local.get $down))))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (br_if $four (i32.lt_u (local.get $to) (local.get $last))))
    (loop $run
      (local.set $x (local.get $next))
      (local.set $next (i32.load offset=8 (local.get $above)))
      (local.set $dx (i32.shr_s (i32.sub (local.get $next) (local.get $x)) (i32.const 2)))
      (v128.store (local.get $picture) (i8x16.narrow_i16x8_u
        (call $join
          (call $beside (local.get $mixed) (local.get $x))
          (call $beside (local.get $mixed) (i32.add (local.get $x) (local.get $dx))))
        (call $join
          (call $beside (local.get $mixed) (i32.add (local.get $x) (i32.shl (local.get $dx) (i32.const 1))))
          (call $beside (local.get $mixed) (i32.add (i32.add (local.get $x) (local.get $dx)) (i32.shl (local.get $dx) (i32.const 1)))))))
      (local.set $above (i32.add (local.get $above) (i32.const 8)))
      (local.set $picture (i32.add (local.get $picture) (i32.const 16)))
      (br_if $run (i32.lt_u (local.get $picture) (local.get $end)))))

  (func $between (param $top v128) (param $bottom v128) (param $up v128) (param $down v128) (result v128)
    (i16x8.shr_u
      (i16x8.add (v128.const i16x8 128 128 128 128 128 128 128 128) (i16x8.add
        (i16x8.mul (local.get $top) (local.get $up))
        (i16x8.mul (local.get $bottom) (local.get $down))))
      (i32.const 8)))

  ;; Two neighbours on a row, each times its share.
  (func $beside (param $row i32) (param $x i32) (result v128)
    (i16x8.mul
      (v128.load8x8_u (i32.add (local.get $row) (i32.shl (i32.shr_u (local.get $x) (i32.const 16)) (i32.const 2))))
      (call $shares (local.get $x))))

  ;; Over what is there already, with an opacity of 0 to 256. `map` says for each eight by eight pixels of the plate, in rows
  ;; `mapStride` apart, whether a run that begins there can show anything.
  (func (export "lay")
    (param $plate i32) (param $stride i32) (param $above i32) (param $below i32) (param $depth i32) (param $rise i32)
    (param $picture i32) (param $end i32) (param $opacity i32) (param $map i32) (param $mapStride i32)
    (local $x i32) (local $y i32) (local $dx i32) (local $dy i32) (local $nextX i32) (local $nextY i32)
    (local $first v128) (local $second v128) (local $strength v128) (local $under v128)
    (local.set $strength (i16x8.splat (local.get $opacity)))
    (local.set $nextX (call $mix (i32.load (local.get $above)) (i32.load (local.get $below)) (local.get $depth) (local.get $rise)))
    (local.set $nextY (call $mix (i32.load offset=4 (local.get $above)) (i32.load offset=4 (local.get $below)) (local.get $depth) (local.get $rise)))
    (loop $run
      (local.set $x (local.get $nextX))
      (local.set $y (local.get $nextY))
      (local.set $nextX (call $mix (i32.load offset=8 (local.get $above)) (i32.load offset=8 (local.get $below)) (local.get $depth) (local.get $rise)))
      (local.set $nextY (call $mix (i32.load offset=12 (local.get $above)) (i32.load offset=12 (local.get $below)) (local.get $depth) (local.get $rise)))
      (if (i32.load8_u (i32.add (local.get $map) (i32.add
          (i32.mul (i32.shr_u (local.get $y) (i32.const 19)) (local.get $mapStride))
          (i32.shr_u (local.get $x) (i32.const 19)))))
        (then
          (local.set $dx (i32.shr_s (i32.sub (local.get $nextX) (local.get $x)) (i32.const 2)))
          (local.set $dy (i32.shr_s (i32.sub (local.get $nextY) (local.get $y)) (i32.const 2)))
          (local.set $first
            (call $two (local.get $plate) (local.get $stride) (local.get $x) (local.get $y) (local.get $dx) (local.get $dy)))
          (local.set $second
            (call $two (local.get $plate) (local.get $stride)
              (i32.add (local.get $x) (i32.shl (local.get $dx) (i32.const 1)))
              (i32.add (local.get $y) (i32.shl (local.get $dy) (i32.const 1)))
              (local.get $dx) (local.get $dy)))
          (if (v128.any_true (v128.or (local.get $first) (local.get $second)))
            (then
              (if (i32.lt_u (local.get $opacity) (i32.const 256))
                (then
                  (local.set $first (i16x8.shr_u (i16x8.mul (local.get $first) (local.get $strength)) (i32.const 8)))
                  (local.set $second (i16x8.shr_u (i16x8.mul (local.get $second) (local.get $strength)) (i32.const 8)))))
              (local.set $under (v128.load (local.get $picture)))
              (v128.store (local.get $picture) (i8x16.narrow_i16x8_u
                (call $over (local.get $first) (i16x8.extend_low_i8x16_u (local.get $under)))
                (call $over (local.get $second) (i16x8.extend_high_i8x16_u (local.get $under)))))))))
      (local.set $above (i32.add (local.get $above) (i32.const 8)))
      (local.set $below (i32.add (local.get $below) (i32.const 8)))
      (local.set $picture (i32.add (local.get $picture) (i32.const 16)))
      (br_if $run (i32.lt_u (local.get $picture) (local.get $end)))))

  ;; Light on a row: each value is raised by gain * value * (255 - value) / 64, so that black stays black, white stays white
  ;; and nothing is pushed to the limit. Gains are given as four 16-bit parts of 32768 (red, green, blue, nought) a run.
  (func (export "shine")
    (param $above i32) (param $below i32) (param $depth i32) (param $picture i32) (param $end i32)
    (local $low v128) (local $gain v128) (local $pixels v128)
    (loop $run
      (local.set $low (v128.load64_splat (local.get $above)))
      (local.set $gain (i16x8.add (local.get $low)
        (i16x8.q15mulr_sat_s
          (i16x8.sub (v128.load64_splat (local.get $below)) (local.get $low))
          (i16x8.splat (i32.shl (local.get $depth) (i32.const 11))))))
      (if (v128.any_true (local.get $gain))
        (then
          (local.set $pixels (v128.load (local.get $picture)))
          (v128.store (local.get $picture) (i8x16.narrow_i16x8_u
            (call $lit (i16x8.extend_low_i8x16_u (local.get $pixels)) (local.get $gain))
            (call $lit (i16x8.extend_high_i8x16_u (local.get $pixels)) (local.get $gain))))))
      (local.set $above (i32.add (local.get $above) (i32.const 8)))
      (local.set $below (i32.add (local.get $below) (i32.const 8)))
      (local.set $picture (i32.add (local.get $picture) (i32.const 16)))
      (br_if $run (i32.lt_u (local.get $picture) (local.get $end)))))

  ;; Two opaque rows as video wants them: brightness for each pixel, and two colour values for each block of four (BT.709,
  ;; limited range, rounded). `picture` to `end` is the upper row, the lower one begins at `end`; so do the rows of brightness,
  ;; `stride` bytes apart. Eight pixels at a time.
  (func (export "convert")
    (param $picture i32) (param $end i32) (param $brightness i32) (param $stride i32) (param $blue i32) (param $red i32)
    (local $width i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $left v128) (local $right v128)
    (local.set $width (i32.sub (local.get $end) (local.get $picture)))
    (loop $block
      (local.set $a (v128.load (local.get $picture)))
      (local.set $b (v128.load offset=16 (local.get $picture)))
      (local.set $c (v128.load (i32.add (local.get $picture) (local.get $width))))
      (local.set $d (v128.load offset=16 (i32.add (local.get $picture) (local.get $width))))
      (i64.store (local.get $brightness) (call $bright (local.get $a) (local.get $b)))
      (i64.store (i32.add (local.get $brightness) (local.get $stride)) (call $bright (local.get $c) (local.get $d)))
      (local.set $left (call $blocks (local.get $a) (local.get $c)))
      (local.set $right (call $blocks (local.get $b) (local.get $d)))
      (i32.store (local.get $blue) (call $tint (local.get $left) (local.get $right)
        (v128.const i16x8 -3298 -11094 14392 0 -3298 -11094 14392 0)))
      (i32.store (local.get $red) (call $tint (local.get $left) (local.get $right)
        (v128.const i16x8 14392 -13073 -1319 0 14392 -13073 -1319 0)))
      (local.set $brightness (i32.add (local.get $brightness) (i32.const 8)))
      (local.set $blue (i32.add (local.get $blue) (i32.const 4)))
      (local.set $red (i32.add (local.get $red) (i32.const 4)))
      (local.set $picture (i32.add (local.get $picture) (i32.const 32)))
      (br_if $block (i32.lt_u (local.get $picture) (local.get $end)))))

  ;; Eight pixels' brightness: 16 + 219/255 (0.2126 red + 0.7152 green + 0.0722 blue), in parts of 32768.
  (func $bright (param $first v128) (param $second v128) (result i64)
    (local $four v128) (local $more v128)
    (local.set $four (call $luma (local.get $first)))
    (local.set $more (call $luma (local.get $second)))
    (i64x2.extract_lane 0 (i8x16.narrow_i16x8_u
      (i16x8.narrow_i32x4_s (local.get $four) (local.get $more)) (local.get $four))))
  (func $luma (param $pixels v128) (result v128)
    (local $low v128) (local $high v128)
    (local.set $low (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_u (local.get $pixels))
      (v128.const i16x8 5983 20127 2032 0 5983 20127 2032 0)))
    (local.set $high (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_u (local.get $pixels))
      (v128.const i16x8 5983 20127 2032 0 5983 20127 2032 0)))
    (i32x4.shr_s
      (i32x4.add (i32x4.splat (i32.const 540672)) ;; 16.5
        (call $pairs (local.get $low) (local.get $high)))
      (i32.const 15)))

  ;; The sums of two blocks of four pixels: four 16-bit values each.
  (func $blocks (param $above v128) (param $below v128) (result v128)
    (local $first v128) (local $second v128)
    (local.set $first (i16x8.add
      (i16x8.extend_low_i8x16_u (local.get $above)) (i16x8.extend_low_i8x16_u (local.get $below))))
    (local.set $second (i16x8.add
      (i16x8.extend_high_i8x16_u (local.get $above)) (i16x8.extend_high_i8x16_u (local.get $below))))
    (i16x8.add
      (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $first) (local.get $second))
      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $first) (local.get $second))))

  ;; Four blocks' values of one colour: 128 is none of it.
  (func $tint (param $left v128) (param $right v128) (param $weights v128) (result i32)
    (local $four v128)
    (local.set $four (i32x4.shr_s
      (i32x4.add (i32x4.splat (i32.const 16842752)) ;; 128.5 times four
        (call $pairs
          (i32x4.dot_i16x8_s (local.get $left) (local.get $weights))
          (i32x4.dot_i16x8_s (local.get $right) (local.get $weights))))
      (i32.const 17)))
    (i32x4.extract_lane 0 (i8x16.narrow_i16x8_u
      (i16x8.narrow_i32x4_s (local.get $four) (local.get $four)) (local.get $four))))

  ;; Neighbours added up.
  (func $pairs (param $first v128) (param $second v128) (result v128)
    (i32x4.add
      (i8x16.shuffle 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27 (local.get $first) (local.get $second))
      (i8x16.shuffle 4 5 6 7 12 13 14 15 20 21 22 23 28 29 30 31 (local.get $first) (local.get $second))))

  (func $lit (param $value v128) (param $gain v128) (result v128)
    (i16x8.shr_s
      (i16x8.add
        (i16x8.add (i16x8.shl (local.get $value) (i32.const 6)) (i16x8.splat (i32.const 32)))
        (i16x8.q15mulr_sat_s
          (i16x8.mul (local.get $value) (i16x8.sub (i16x8.splat (i32.const 255)) (local.get $value)))
          (local.get $gain)))
      (i32.const 6)))

  ;; under * (255 - alpha) / 255, and what lies over it.
  (func $over (param $top v128) (param $under v128) (result v128)
    (local $part v128)
    (local.set $part (i16x8.add (i16x8.splat (i32.const 128)) (i16x8.mul (local.get $under)
      (i16x8.sub (i16x8.splat (i32.const 255))
        (i8x16.shuffle 6 7 6 7 6 7 6 7 14 15 14 15 14 15 14 15 (local.get $top) (local.get $top))))))
    (i16x8.add (local.get $top)
      (i16x8.shr_u (i16x8.add (local.get $part) (i16x8.shr_u (local.get $part) (i32.const 8))) (i32.const 8))))

  ;; Two pixels, the second a step further.
  (func $two (param $plate i32) (param $stride i32) (param $x i32) (param $y i32) (param $dx i32) (param $dy i32) (result v128)
    (call $join
      (call $pair (local.get $plate) (local.get $stride) (local.get $x) (local.get $y))
      (call $pair (local.get $plate) (local.get $stride)
        (i32.add (local.get $x) (local.get $dx)) (i32.add (local.get $y) (local.get $dy)))))

  ;; Two pixels, of each of which the shares of its neighbours lie side by side.
  (func $join (param $one v128) (param $other v128) (result v128)
    (i16x8.shr_u
      (i16x8.add (v128.const i16x8 128 128 128 128 128 128 128 128) (i16x8.add
        (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $one) (local.get $other))
        (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $one) (local.get $other))))
      (i32.const 8)))

  ;; The two neighbours of a place, mixed down, each times its share across.
  (func $pair (param $plate i32) (param $stride i32) (param $x i32) (param $y i32) (result v128)
    (local $at i32) (local $down i32)
    (local.set $at (i32.add
      (i32.add (local.get $plate) (i32.mul (i32.shr_u (local.get $y) (i32.const 16)) (local.get $stride)))
      (i32.shl (i32.shr_u (local.get $x) (i32.const 16)) (i32.const 2))))
    (local.set $down (i32.and (i32.shr_u (local.get $y) (i32.const 4)) (i32.const 4080)))
    (i16x8.mul
      (i16x8.shr_u
        (i16x8.add (v128.const i16x8 128 128 128 128 128 128 128 128) (i16x8.add
          (i16x8.mul (v128.load8x8_u (local.get $at)) (v128.load (i32.sub (i32.const 8192) (local.get $down))))
          (i16x8.mul (v128.load8x8_u (i32.add (local.get $at) (local.get $stride))) (v128.load offset=4096 (local.get $down)))))
        (i32.const 8))
      (call $shares (local.get $x))))

  (func $shares (param $x i32) (result v128)
    (v128.load (i32.and (i32.shr_u (local.get $x) (i32.const 4)) (i32.const 4080))))

  (func $mix (param $from i32) (param $to i32) (param $depth i32) (param $rise i32) (result i32)
    (i32.add (local.get $from)
      (i32.shr_s (i32.mul (i32.sub (local.get $to) (local.get $from)) (local.get $depth)) (local.get $rise)))))
