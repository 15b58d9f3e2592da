;; Draws rows of a video's planes from plates and blends them over each other, eight values at a time: brightness for
;; every pixel, and two color values for every block of four.
;;
;; The start of each run of four pixels on its plate is known for two rows, one above and one below, and interpolated
;; for the rows between. A run ends where the next one starts, and its pixels are evenly spaced. Each pixel is mixed
;; from its four neighbors on the plate. A place is two integers, across and down, in 1/65536 of a brightness pixel. A
;; value is a byte with premultiplied alpha. Rows are given by their start address, plates also by their width in bytes.
;; A plate's color planes have one additional row above and one additional value before each row, because their first
;; place is a quarter of a value earlier.
;;
;; The memory starts with 64 bytes of scratch space. Constants follow from 64 on, because loading them is faster than
;; making eight copies with instructions: 0 1 2 3 0 1 2 3, then eight times each 1024, -16384, -2048, 256, 257, 127,
;; 1023, 255, 64.
(module
  (import "warp" "memory" (memory 1))

  ;; A row that is level on the plate, at `y` in the plane's own values. First mixes the two plate rows into `mixed`.
  ;; For each eight values, `spots` (48 bytes) contains the neighbors to read, relative to a start, and the share of the
  ;; right neighbor in parts of 128.
  (func (export "level")
    (param $plate i32) (param $stride i32) (param $y i32) (param $spots i32) (param $row i32) (param $end i32) (param $mixed i32)
    (local $from i32) (local $to i32) (local $last i32)
    (local $top v128) (local $bottom v128) (local $up v128) (local $down v128)
    (local.set $down (i16x8.splat (i32.and (i32.shr_u (local.get $y) (i32.const 8)) (i32.const 255))))
    (local.set $up (i16x8.sub (i16x8.splat (i32.const 256)) (local.get $down)))
    (local.set $from (i32.load offset=32 (local.get $spots)))
    (local.set $to (i32.add (local.get $mixed) (local.get $from)))
    (local.set $last (i32.add (i32.add (local.get $mixed) (i32.const 16)) (i32.load
      (i32.sub (i32.add (local.get $spots) (i32.mul (i32.sub (local.get $end) (local.get $row)) (i32.const 6))) (i32.const 16)))))
    (local.set $from (i32.add (local.get $from) (i32.add (local.get $plate)
      (i32.mul (i32.shr_u (local.get $y) (i32.const 16)) (local.get $stride)))))
    (loop $sixteen
      (local.set $top (v128.load (local.get $from)))
      (local.set $bottom (v128.load (i32.add (local.get $from) (local.get $stride))))
      (v128.store (local.get $to) (i8x16.narrow_i16x8_u
        (call $between (i16x8.extend_low_i8x16_u (local.get $top)) (i16x8.extend_low_i8x16_u (local.get $bottom)) (local.get $up) (local.get $down))
        (call $between (i16x8.extend_high_i8x16_u (local.get $top)) (i16x8.extend_high_i8x16_u (local.get $bottom)) (local.get $up) (local.get $down))))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (br_if $sixteen (i32.lt_u (local.get $to) (local.get $last))))
    (loop $eight
      (local.set $top (call $beside
        (i8x16.swizzle
          (v128.load (i32.add (local.get $mixed) (i32.load offset=32 (local.get $spots))))
          (v128.load (local.get $spots)))
        (v128.load offset=16 (local.get $spots))))
      (local.set $top (i16x8.shr_u (i16x8.add (local.get $top) (i16x8.splat (i32.const 64))) (i32.const 7)))
      (v128.store64_lane 0 (local.get $row) (i8x16.narrow_i16x8_u (local.get $top) (local.get $top)))
      (local.set $spots (i32.add (local.get $spots) (i32.const 48)))
      (local.set $row (i32.add (local.get $row) (i32.const 8)))
      (br_if $eight (i32.lt_u (local.get $row) (local.get $end)))))

  ;; Any row. `half` is 1 for colors, whose runs are twice as wide, else 0. The starts of runs are written to `starts`. If
  ;; `even` is not 0, it skips `starts`: the row starts at `beginX` and at `beginY`, the smallest y of its first eight
  ;; values, in the plane's own values. The address `even` contains, in 1/1024, the offsets of the eight values across,
  ;; then down, and then the step to the next eight as two integers in 1/65536. If `alpha` is not 0, it is the address
  ;; of an alpha plane like the plate, and the row is blended over the existing one with an opacity of 0 to 256. `map`
  ;; has a byte for each 16 by 16 pixels of the plate, in rows `mapStride` apart: 0 if eight values that start there
  ;; show nothing, 1 if they may show something, 2 if they are all opaque. Without `alpha` the plate is opaque. The
  ;; second color is `other` bytes further in the plate and `otherRow` bytes further in the video, if `other` is not 0.
  (func (export "draw")
    (param $plate i32) (param $stride i32) (param $above i32) (param $below i32) (param $depth i32) (param $rise i32)
    (param $half i32) (param $row i32) (param $end i32) (param $starts i32) (param $other i32) (param $otherRow i32)
    (param $alpha i32) (param $opacity i32) (param $map i32) (param $mapStride i32)
    (param $even i32) (param $beginX i32) (param $beginY i32)
    (local $from v128) (local $next v128) (local $near v128) (local $x v128) (local $y v128)
    (local $two v128) (local $right v128) (local $isLow v128) (local $parts v128)
    (local $left i32) (local $top i32) (local $at i32) (local $isStraight i32) (local $isOver i32)
    (if (i32.eqz (local.get $even)) (then
      (call $tell (local.get $above) (local.get $below) (local.get $depth) (local.get $rise) (local.get $half)
        (local.get $starts) (i32.add (local.get $starts) (i32.shl (i32.sub (local.get $end) (local.get $row)) (i32.const 1))))))
    (loop $eight
      ;; The nearest value at the top left of all eight.
      (if (local.get $even)
        (then
          (local.set $left (i32.shr_s (local.get $beginX) (i32.const 16)))
          (local.set $top (i32.shr_s (local.get $beginY) (i32.const 16)))
          (local.set $x (i16x8.add (v128.load (local.get $even))
            (i16x8.splat (i32.shr_u (i32.and (local.get $beginX) (i32.const 65535)) (i32.const 6)))))
          (local.set $y (i16x8.add (v128.load offset=16 (local.get $even))
            (i16x8.splat (i32.shr_u (i32.and (local.get $beginY) (i32.const 65535)) (i32.const 6)))))
          (local.set $beginX (i32.add (local.get $beginX) (i32.load offset=32 (local.get $even))))
          (local.set $beginY (i32.add (local.get $beginY) (i32.load offset=36 (local.get $even)))))
        (else
          (local.set $from (v128.load (local.get $starts)))
          (local.set $next (v128.load offset=8 (local.get $starts)))
          (local.set $near (i32x4.min_s (local.get $from) (local.get $next)))
          (local.set $near (i32x4.shr_s
            (i32x4.min_s (local.get $near) (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $near) (local.get $near)))
            (i32.const 16)))
          (local.set $left (i32x4.extract_lane 0 (local.get $near)))
          (local.set $top (i32x4.extract_lane 1 (local.get $near)))))
      (block $done
        (if (local.get $alpha) (then
          (local.set $isOver (i32.load8_u (i32.add (local.get $map) (i32.add
            (i32.mul (i32.shr_u (local.get $top) (i32.sub (i32.const 4) (local.get $half))) (local.get $mapStride))
            (i32.shr_u (local.get $left) (i32.sub (i32.const 4) (local.get $half)))))))
          (br_if $done (i32.eqz (local.get $isOver)))
          (local.set $isOver (i32.or
            (i32.lt_u (local.get $isOver) (i32.const 2)) (i32.lt_u (local.get $opacity) (i32.const 256))))))
        (local.set $at (i32.add (i32.mul (local.get $top) (local.get $stride)) (local.get $left)))
        (if (local.get $even)
          (then (local.set $isStraight (i32.const 1)))
          (else
            ;; From here on in 1/1024, relative to that value: the start of each run across and down, and its length
            ;; across and down.
            (local.set $near (i16x8.narrow_i32x4_s
              (i32x4.shr_s (i32x4.sub (local.get $from) (i32x4.shl (local.get $near) (i32.const 16))) (i32.const 6))
              (i32x4.shr_s (i32x4.sub (local.get $next) (local.get $from)) (i32.const 6))))
            (local.set $near (i8x16.shuffle 0 1 2 3 8 9 10 11 4 5 6 7 12 13 14 15 (local.get $near) (local.get $near)))
            (local.set $x (i16x8.add
              (i8x16.shuffle 0 1 0 1 0 1 0 1 8 9 8 9 8 9 8 9 (local.get $near) (local.get $near))
              (i16x8.shr_s
                (i16x8.mul (v128.load offset=64 (i32.const 0))
                  (i8x16.shuffle 4 5 4 5 4 5 4 5 12 13 12 13 12 13 12 13 (local.get $near) (local.get $near)))
                (i32.const 2))))
            (local.set $y (i16x8.add
              (i8x16.shuffle 2 3 2 3 2 3 2 3 10 11 10 11 10 11 10 11 (local.get $near) (local.get $near))
              (i16x8.shr_s
                (i16x8.mul (v128.load offset=64 (i32.const 0))
                  (i8x16.shuffle 6 7 6 7 6 7 6 7 14 15 14 15 14 15 14 15 (local.get $near) (local.get $near)))
                (i32.const 2))))
            ;; True if all are within fifteen values of two rows, so that their neighbors can be read at once.
            (local.set $isStraight (i32.eqz (v128.any_true (v128.or
              (v128.and (i16x8.add (local.get $x) (v128.load offset=80 (i32.const 0))) (v128.load offset=96 (i32.const 0)))
              (v128.and (local.get $y) (v128.load offset=112 (i32.const 0)))))))))
        (if (local.get $isStraight)
          (then
            ;; The two neighbors of each value, in adjacent bytes.
            (local.set $two (i16x8.add (v128.load offset=128 (i32.const 0))
              (i16x8.mul (v128.load offset=144 (i32.const 0)) (i16x8.shr_u (local.get $x) (i32.const 10)))))
            (local.set $right (v128.and (v128.load offset=160 (i32.const 0)) (i16x8.shr_u (local.get $x) (i32.const 3))))
            (local.set $isLow (i16x8.gt_s (local.get $y) (v128.load offset=176 (i32.const 0))))
            (local.set $y (i16x8.shl (v128.and (local.get $y) (v128.load offset=176 (i32.const 0))) (i32.const 5))))
          (else
            (v128.store (i32.const 0) (local.get $from))
            (v128.store (i32.const 16) (i32x4.sub (local.get $next) (local.get $from)))))
        (if (local.get $isOver) (then
          (local.set $parts (call $take (local.get $isStraight) (local.get $alpha) (local.get $at) (local.get $stride)
            (local.get $two) (local.get $right) (local.get $isLow) (local.get $y)))
          (br_if $done (i32.eqz (v128.any_true (local.get $parts))))
          (local.set $parts (i16x8.shr_u (i16x8.mul (local.get $parts) (i16x8.splat (local.get $opacity))) (i32.const 8)))))
        (local.set $x (call $take (local.get $isStraight) (local.get $plate) (local.get $at) (local.get $stride)
          (local.get $two) (local.get $right) (local.get $isLow) (local.get $y)))
        (if (local.get $isOver)
          (then (local.set $x (call $over (local.get $x) (local.get $opacity) (local.get $parts) (v128.load8x8_u (local.get $row))))))
        (v128.store64_lane 0 (local.get $row) (i8x16.narrow_i16x8_u (local.get $x) (local.get $x)))
        (if (local.get $other) (then
          (local.set $x (call $take (local.get $isStraight) (i32.add (local.get $plate) (local.get $other)) (local.get $at)
            (local.get $stride) (local.get $two) (local.get $right) (local.get $isLow) (local.get $y)))
          (local.set $at (i32.add (local.get $row) (local.get $otherRow)))
          (if (local.get $isOver)
            (then (local.set $x (call $over (local.get $x) (local.get $opacity) (local.get $parts) (v128.load8x8_u (local.get $at))))))
          (v128.store64_lane 0 (local.get $at) (i8x16.narrow_i16x8_u (local.get $x) (local.get $x))))))
      (local.set $starts (i32.add (local.get $starts) (i32.const 16)))
      (local.set $row (i32.add (local.get $row) (i32.const 8)))
      (br_if $eight (i32.lt_u (local.get $row) (local.get $end)))))

  ;; Writes the places of a row's runs, interpolated between the row above and the row below. For colors it writes every
  ;; other run, in the color plane's own values and a quarter of a value further, where their pixels start.
  (func $tell
    (param $above i32) (param $below i32) (param $depth i32) (param $rise i32) (param $half i32) (param $to i32) (param $end i32)
    (local $by v128) (local $from v128) (local $step v128) (local $lead v128)
    (local.set $by (i32x4.splat (local.get $depth)))
    (local.set $lead (i32x4.splat (i32.const 49152)))
    (loop $two
      (local.set $from (v128.load (local.get $above)))
      (local.set $from (i32x4.add (local.get $from) (i32x4.shr_s
        (i32x4.mul (local.get $by) (i32x4.sub (v128.load (local.get $below)) (local.get $from)))
        (local.get $rise))))
      (if (local.get $half)
        (then
          ;; An eighth of the way to the next run, which is the middle of the first two pixels of eight. The last run
          ;; has no next one and keeps the previous step.
          (if (i32.lt_u (local.get $to) (local.get $end)) (then
            (local.set $step (i32x4.shr_s
              (i32x4.sub (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $from) (local.get $from)) (local.get $from))
              (i32.const 3)))))
          (local.set $from (i32x4.add (local.get $from) (local.get $step)))
          (v128.store64_lane 0 (local.get $to)
            (i32x4.add (local.get $lead) (i32x4.shr_s (local.get $from) (i32.const 1))))
          (local.set $to (i32.add (local.get $to) (i32.const 8))))
        (else
          (v128.store (local.get $to) (local.get $from))
          (local.set $to (i32.add (local.get $to) (i32.const 16)))))
      (local.set $above (i32.add (local.get $above) (i32.const 16)))
      (local.set $below (i32.add (local.get $below) (i32.const 16)))
      (br_if $two (i32.le_u (local.get $to) (local.get $end)))))

  ;; Eight values: `two` selects their two neighbors on each of three rows, `right` is the share of the right neighbor,
  ;; `isLow` marks the values between the lower two rows, and `down` is the share of their lower row.
  (func $take
    (param $isStraight i32) (param $plate i32) (param $at i32) (param $stride i32)
    (param $two v128) (param $right v128) (param $isLow v128) (param $down v128) (result v128)
    (local $upper v128) (local $lower v128)
    (if (i32.eqz (local.get $isStraight)) (then (return (call $takeEach (local.get $plate) (local.get $stride)))))
    (local.set $at (i32.add (local.get $plate) (local.get $at)))
    (local.set $upper (i8x16.swizzle (v128.load (local.get $at)) (local.get $two)))
    (local.set $lower (i8x16.swizzle (v128.load (i32.add (local.get $at) (local.get $stride))) (local.get $two)))
    (if (v128.any_true (local.get $isLow)) (then
      (local.set $upper (v128.bitselect (local.get $lower) (local.get $upper) (local.get $isLow)))
      (local.set $lower (v128.bitselect
        (i8x16.swizzle (v128.load (i32.add (local.get $at) (i32.shl (local.get $stride) (i32.const 1)))) (local.get $two))
        (local.get $lower) (local.get $isLow)))))
    (local.set $upper (call $beside (local.get $upper) (local.get $right)))
    (i16x8.shr_u
      (i16x8.add (v128.load offset=208 (i32.const 0)) (i16x8.add (local.get $upper) (i16x8.q15mulr_sat_s
        (i16x8.sub (call $beside (local.get $lower) (local.get $right)) (local.get $upper))
        (local.get $down))))
      (i32.const 7)))

  ;; The same if they are too far apart: one by one, from the places and steps in the scratch space.
  (func $takeEach (param $plate i32) (param $stride i32) (result v128)
    (local $each i32) (local $run i32) (local $x i32) (local $y i32) (local $at i32) (local $right i32) (local $top i32)
    (loop $value
      (local.set $run (i32.shl (i32.shr_u (local.get $each) (i32.const 2)) (i32.const 3)))
      (local.set $x (i32.add (i32.load (local.get $run))
        (i32.shr_s (i32.mul (i32.load offset=16 (local.get $run)) (i32.and (local.get $each) (i32.const 3))) (i32.const 2))))
      (local.set $y (i32.add (i32.load offset=4 (local.get $run))
        (i32.shr_s (i32.mul (i32.load offset=20 (local.get $run)) (i32.and (local.get $each) (i32.const 3))) (i32.const 2))))
      (local.set $at (i32.add (local.get $plate) (i32.add
        (i32.mul (i32.shr_u (local.get $y) (i32.const 16)) (local.get $stride)) (i32.shr_u (local.get $x) (i32.const 16)))))
      (local.set $right (i32.and (i32.shr_u (local.get $x) (i32.const 9)) (i32.const 127)))
      (local.set $top (call $mixed (local.get $at) (local.get $right)))
      (i32.store8 offset=32 (local.get $each) (i32.shr_u
        (i32.add (i32.const 8192) (i32.add (i32.shl (local.get $top) (i32.const 7)) (i32.mul
          (i32.sub (call $mixed (i32.add (local.get $at) (local.get $stride)) (local.get $right)) (local.get $top))
          (i32.and (i32.shr_u (local.get $y) (i32.const 9)) (i32.const 127)))))
        (i32.const 14)))
      (local.set $each (i32.add (local.get $each) (i32.const 1)))
      (br_if $value (i32.lt_u (local.get $each) (i32.const 8))))
    (v128.load8x8_u offset=32 (i32.const 0)))
  (func $mixed (param $at i32) (param $right i32) (result i32)
    (i32.add
      (i32.mul (i32.load8_u (local.get $at)) (i32.sub (i32.const 128) (local.get $right)))
      (i32.mul (i32.load8_u offset=1 (local.get $at)) (local.get $right))))

  ;; Mixes pairs of neighbors on a row; the result is multiplied by 128.
  (func $beside (param $two v128) (param $right v128) (result v128)
    (local $left v128)
    (local.set $left (v128.and (local.get $two) (v128.load offset=192 (i32.const 0))))
    (i16x8.add (i16x8.shl (local.get $left) (i32.const 7)) (i16x8.mul (local.get $right)
      (i16x8.sub (i16x8.shr_u (local.get $two) (i32.const 8)) (local.get $left)))))

  (func $between (param $top v128) (param $bottom v128) (param $up v128) (param $down v128) (result v128)
    (i16x8.shr_u
      (i16x8.add (i16x8.splat (i32.const 128)) (i16x8.add
        (i16x8.mul (local.get $top) (local.get $up))
        (i16x8.mul (local.get $bottom) (local.get $down))))
      (i32.const 8)))

  ;; under * (255 - alpha) / 255, plus the top with its opacity. `alpha` already includes the opacity.
  (func $over (param $top v128) (param $opacity i32) (param $alpha v128) (param $under v128) (result v128)
    (local $part v128)
    (local.set $part (i16x8.add (i16x8.splat (i32.const 128)) (i16x8.mul (local.get $under)
      (i16x8.sub (i16x8.splat (i32.const 255)) (local.get $alpha)))))
    (i16x8.add
      (i16x8.shr_u (i16x8.mul (local.get $top) (i16x8.splat (local.get $opacity))) (i32.const 8))
      (i16x8.shr_u (i16x8.add (local.get $part) (i16x8.shr_u (local.get $part) (i32.const 8))) (i32.const 8))))

  ;; Light on two rows, `stride` bytes apart, and their colors. Red, green and blue are each raised by gain * value *
  ;; (255 - value) / 64, so that black stays black, white stays white and nothing is clipped. Gains are four 16-bit
  ;; parts of 32768 (red, green, blue, zero) for each run.
  (func (export "shine")
    (param $above i32) (param $below i32) (param $depth i32) (param $row i32) (param $end i32) (param $stride i32)
    (param $blue i32) (param $red i32)
    (local $gain v128) (local $first v128) (local $second v128) (local $b v128) (local $r v128) (local $tint v128)
    (local $reds v128) (local $greens v128) (local $blues v128) (local $moreReds v128) (local $moreGreens v128) (local $moreBlues v128)
    (loop $eight
      (local.set $gain (v128.load (local.get $above)))
      (local.set $gain (i16x8.add (local.get $gain)
        (i16x8.q15mulr_sat_s
          (i16x8.sub (v128.load (local.get $below)) (local.get $gain))
          (i16x8.splat (i32.shl (local.get $depth) (i32.const 11))))))
      (if (v128.any_true (local.get $gain))
        (then
          (local.set $b (call $tints (local.get $blue)))
          (local.set $r (call $tints (local.get $red)))
          (local.set $first (v128.load8x8_u (local.get $row)))
          (local.set $second (v128.load8x8_u (i32.add (local.get $row) (local.get $stride))))
          (local.set $tint (i16x8.q15mulr_sat_s (local.get $r) (i16x8.splat (i32.const 14686))))
          (local.set $reds (call $gained (local.get $first) (local.get $tint)
            (i8x16.shuffle 0 1 0 1 0 1 0 1 8 9 8 9 8 9 8 9 (local.get $gain) (local.get $gain))))
          (local.set $moreReds (call $gained (local.get $second) (local.get $tint)
            (i8x16.shuffle 0 1 0 1 0 1 0 1 8 9 8 9 8 9 8 9 (local.get $gain) (local.get $gain))))
          (local.set $tint (i16x8.add
            (i16x8.q15mulr_sat_s (local.get $b) (i16x8.splat (i32.const -1747))) (i16x8.q15mulr_sat_s (local.get $r) (i16x8.splat (i32.const -4366)))))
          (local.set $greens (call $gained (local.get $first) (local.get $tint)
            (i8x16.shuffle 2 3 2 3 2 3 2 3 10 11 10 11 10 11 10 11 (local.get $gain) (local.get $gain))))
          (local.set $moreGreens (call $gained (local.get $second) (local.get $tint)
            (i8x16.shuffle 2 3 2 3 2 3 2 3 10 11 10 11 10 11 10 11 (local.get $gain) (local.get $gain))))
          (local.set $tint (i16x8.q15mulr_sat_s (local.get $b) (i16x8.splat (i32.const 17304))))
          (local.set $blues (call $gained (local.get $first) (local.get $tint)
            (i8x16.shuffle 4 5 4 5 4 5 4 5 12 13 12 13 12 13 12 13 (local.get $gain) (local.get $gain))))
          (local.set $moreBlues (call $gained (local.get $second) (local.get $tint)
            (i8x16.shuffle 4 5 4 5 4 5 4 5 12 13 12 13 12 13 12 13 (local.get $gain) (local.get $gain))))
          (call $brighten (local.get $row) (local.get $first) (call $weighed
            (local.get $reds) (local.get $greens) (local.get $blues) (i32.const 5983) (i32.const 20127) (i32.const 2032)))
          (call $brighten (i32.add (local.get $row) (local.get $stride)) (local.get $second) (call $weighed
            (local.get $moreReds) (local.get $moreGreens) (local.get $moreBlues)
            (i32.const 5983) (i32.const 20127) (i32.const 2032)))
          (local.set $reds (i16x8.add (local.get $reds) (local.get $moreReds)))
          (local.set $greens (i16x8.add (local.get $greens) (local.get $moreGreens)))
          (local.set $blues (i16x8.add (local.get $blues) (local.get $moreBlues)))
          (call $color (local.get $blue) (call $weighed
            (local.get $reds) (local.get $greens) (local.get $blues) (i32.const -3298) (i32.const -11094) (i32.const 14392)))
          (call $color (local.get $red) (call $weighed
            (local.get $reds) (local.get $greens) (local.get $blues) (i32.const 14392) (i32.const -13073) (i32.const -1319)))))
      (local.set $above (i32.add (local.get $above) (i32.const 16)))
      (local.set $below (i32.add (local.get $below) (i32.const 16)))
      (local.set $blue (i32.add (local.get $blue) (i32.const 4)))
      (local.set $red (i32.add (local.get $red) (i32.const 4)))
      (local.set $row (i32.add (local.get $row) (i32.const 8)))
      (br_if $eight (i32.lt_u (local.get $row) (local.get $end)))))

  ;; Four color values minus 128 (no color), each repeated for its two adjacent pixels, times 128.
  (func $tints (param $at i32) (result v128)
    (i16x8.shl (i16x8.sub
      (i8x16.shuffle 0 16 0 16 1 16 1 16 2 16 2 16 3 16 3 16 (v128.load32_zero (local.get $at)) (i16x8.splat (i32.const 0)))
      (i16x8.splat (i32.const 128))) (i32.const 7)))
  ;; The gain of red, green or blue, times 64, for pixels with this brightness and with this tint times 32.
  (func $gained (param $bright v128) (param $tint v128) (param $gain v128) (result v128)
    (local $value v128)
    (local.set $value (i16x8.min_s (i16x8.splat (i32.const 255)) (i16x8.max_s (i16x8.splat (i32.const 0)) (i16x8.shr_s
      (i16x8.add_sat_s (i16x8.add_sat_s (local.get $tint) (i16x8.splat (i32.const 16)))
        (i16x8.q15mulr_sat_s
          (i16x8.shl (i16x8.sub (local.get $bright) (i16x8.splat (i32.const 16))) (i32.const 7))
          (i16x8.splat (i32.const 9539))))
      (i32.const 5)))))
    (i16x8.q15mulr_sat_s (i16x8.mul (local.get $value) (i16x8.sub (i16x8.splat (i32.const 255)) (local.get $value))) (local.get $gain)))
  (func $weighed (param $reds v128) (param $greens v128) (param $blues v128) (param $red i32) (param $green i32) (param $blue i32) (result v128)
    (i16x8.add (i16x8.q15mulr_sat_s (local.get $reds) (i16x8.splat (local.get $red))) (i16x8.add
      (i16x8.q15mulr_sat_s (local.get $greens) (i16x8.splat (local.get $green)))
      (i16x8.q15mulr_sat_s (local.get $blues) (i16x8.splat (local.get $blue))))))
  (func $brighten (param $row i32) (param $bright v128) (param $more v128)
    (local.set $bright (i16x8.add (local.get $bright)
      (i16x8.shr_s (i16x8.add (local.get $more) (i16x8.splat (i32.const 32))) (i32.const 6))))
    (v128.store64_lane 0 (local.get $row) (i8x16.narrow_i16x8_u (local.get $bright) (local.get $bright))))
  ;; `more` is the sum of two rows, so adding pairs gives the sum of four pixels.
  (func $color (param $at i32) (param $more v128)
    (local $four v128)
    (local.set $four (i32x4.add
      (i32x4.extend_low_i16x8_u (i16x8.extend_low_i8x16_u (v128.load32_zero (local.get $at))))
      (i32x4.shr_s
        (i32x4.add (i32x4.extadd_pairwise_i16x8_s (local.get $more)) (i32x4.splat (i32.const 128)))
        (i32.const 8))))
    (local.set $four (i16x8.narrow_i32x4_s (local.get $four) (local.get $four)))
    (v128.store32_lane 0 (local.get $at) (i8x16.narrow_i16x8_u (local.get $four) (local.get $four))))

  ;; Grain on a row of brightness: each value gains `strength` / 32768 times its noise, a signed byte, times its
  ;; distance from black or from white, whichever is smaller.
  (func (export "grain") (param $row i32) (param $end i32) (param $noise i32) (param $strength i32)
    (local $bright v128)
    (loop $eight
      (local.set $bright (v128.load8x8_u (local.get $row)))
      (local.set $bright (i16x8.add (local.get $bright) (i16x8.q15mulr_sat_s
        (i16x8.mul (v128.load8x8_s (local.get $noise)) (i16x8.max_s (i16x8.splat (i32.const 0)) (i16x8.min_s
          (i16x8.sub (local.get $bright) (i16x8.splat (i32.const 16)))
          (i16x8.sub (i16x8.splat (i32.const 235)) (local.get $bright)))))
        (i16x8.splat (local.get $strength)))))
      (v128.store64_lane 0 (local.get $row) (i8x16.narrow_i16x8_u (local.get $bright) (local.get $bright)))
      (local.set $noise (i32.add (local.get $noise) (i32.const 8)))
      (local.set $row (i32.add (local.get $row) (i32.const 8)))
      (br_if $eight (i32.lt_u (local.get $row) (local.get $end)))))

  ;; Blends one value over the values of a plane, with strength `part` / 32768.
  (func (export "veil") (param $row i32) (param $end i32) (param $value i32) (param $part i32)
    (local $under v128)
    (loop $eight
      (local.set $under (v128.load8x8_u (local.get $row)))
      (local.set $under (i16x8.add (local.get $under) (i16x8.shr_s
        (i16x8.add (i16x8.splat (i32.const 32)) (i16x8.q15mulr_sat_s
          (i16x8.shl (i16x8.sub (i16x8.splat (local.get $value)) (local.get $under)) (i32.const 6))
          (i16x8.splat (local.get $part))))
        (i32.const 6))))
      (v128.store64_lane 0 (local.get $row) (i8x16.narrow_i16x8_u (local.get $under) (local.get $under)))
      (local.set $row (i32.add (local.get $row) (i32.const 8)))
      (br_if $eight (i32.lt_u (local.get $row) (local.get $end)))))

  ;; Converts two RGBA rows to video planes: brightness for each pixel, and two color values for each block of four
  ;; (BT.709, limited range, rounded). The value of zero (16 or 128) is multiplied by alpha too. `picture` to `end` is
  ;; the upper row; the lower one starts at `end`. The rows of brightness are `stride` bytes apart. The last three
  ;; parameters are the offsets from each plane to its alpha plane; with 0 no alpha is kept. Eight pixels at a time.
  (func (export "convert")
    (param $picture i32) (param $end i32) (param $brightness i32) (param $stride i32) (param $blue i32) (param $red i32)
    (param $alpha i32) (param $blueAlpha i32) (param $redAlpha i32)
    (local $width i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $left v128) (local $right v128)
    (local.set $width (i32.sub (local.get $end) (local.get $picture)))
    (loop $block
      (local.set $a (v128.load (local.get $picture)))
      (local.set $b (v128.load offset=16 (local.get $picture)))
      (local.set $c (v128.load (i32.add (local.get $picture) (local.get $width))))
      (local.set $d (v128.load offset=16 (i32.add (local.get $picture) (local.get $width))))
      ;; Alpha of both rows, then of the blocks of four.
      (local.set $left (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
        (i8x16.shuffle 3 7 11 15 19 23 27 31 3 7 11 15 19 23 27 31 (local.get $a) (local.get $b))
        (i8x16.shuffle 3 7 11 15 19 23 27 31 3 7 11 15 19 23 27 31 (local.get $c) (local.get $d))))
      (v128.store64_lane 0 (i32.add (local.get $brightness) (local.get $alpha)) (local.get $left))
      (v128.store64_lane 1
        (i32.add (i32.add (local.get $brightness) (local.get $stride)) (local.get $alpha)) (local.get $left))
      (local.set $left (i16x8.extadd_pairwise_i8x16_u (local.get $left)))
      (local.set $left (i16x8.shr_u
        (i16x8.add (i16x8.splat (i32.const 2)) (i16x8.add (local.get $left)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $left) (local.get $left))))
        (i32.const 2)))
      (local.set $left (i8x16.narrow_i16x8_u (local.get $left) (local.get $left)))
      (v128.store32_lane 0 (i32.add (local.get $blue) (local.get $blueAlpha)) (local.get $left))
      (v128.store32_lane 0 (i32.add (local.get $red) (local.get $redAlpha)) (local.get $left))
      (i64.store (local.get $brightness) (call $brights (local.get $a) (local.get $b)))
      (i64.store (i32.add (local.get $brightness) (local.get $stride)) (call $brights (local.get $c) (local.get $d)))
      (local.set $left (call $blocks (local.get $a) (local.get $c)))
      (local.set $right (call $blocks (local.get $b) (local.get $d)))
      (i32.store (local.get $blue) (call $tint (local.get $left) (local.get $right)
        (v128.const i16x8 -3298 -11094 14392 16448 -3298 -11094 14392 16448)))
      (i32.store (local.get $red) (call $tint (local.get $left) (local.get $right)
        (v128.const i16x8 14392 -13073 -1319 16448 14392 -13073 -1319 16448)))
      (local.set $brightness (i32.add (local.get $brightness) (i32.const 8)))
      (local.set $blue (i32.add (local.get $blue) (i32.const 4)))
      (local.set $red (i32.add (local.get $red) (i32.const 4)))
      (local.set $picture (i32.add (local.get $picture) (i32.const 32)))
      (br_if $block (i32.lt_u (local.get $picture) (local.get $end)))))

  ;; Brightness of eight pixels: 16/255 alpha + 219/255 (0.2126 red + 0.7152 green + 0.0722 blue), in parts of 32768.
  (func $brights (param $first v128) (param $second v128) (result i64)
    (local $four v128) (local $more v128)
    (local.set $four (call $luma (local.get $first)))
    (local.set $more (call $luma (local.get $second)))
    (i64x2.extract_lane 0 (i8x16.narrow_i16x8_u
      (i16x8.narrow_i32x4_s (local.get $four) (local.get $more)) (local.get $four))))
  (func $luma (param $pixels v128) (result v128)
    (local $low v128) (local $high v128)
    (local.set $low (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_u (local.get $pixels))
      (v128.const i16x8 5983 20127 2032 2056 5983 20127 2032 2056)))
    (local.set $high (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_u (local.get $pixels))
      (v128.const i16x8 5983 20127 2032 2056 5983 20127 2032 2056)))
    (i32x4.shr_s
      (i32x4.add (i32x4.splat (i32.const 16392)) ;; a half
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

  ;; One color value of four blocks: 128/255 alpha means no color.
  (func $tint (param $left v128) (param $right v128) (param $weights v128) (result i32)
    (local $four v128)
    (local.set $four (i32x4.shr_s
      (i32x4.add (i32x4.splat (i32.const 65792)) ;; a half, times four
        (call $pairs
          (i32x4.dot_i16x8_s (local.get $left) (local.get $weights))
          (i32x4.dot_i16x8_s (local.get $right) (local.get $weights))))
      (i32.const 17)))
    (i32x4.extract_lane 0 (i8x16.narrow_i16x8_u
      (i16x8.narrow_i32x4_s (local.get $four) (local.get $four)) (local.get $four))))

  ;; Adds neighbors.
  (func $pairs (param $first v128) (param $second v128) (result v128)
    (i32x4.add
      (i8x16.shuffle 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27 (local.get $first) (local.get $second))
      (i8x16.shuffle 4 5 6 7 12 13 14 15 20 21 22 23 28 29 30 31 (local.get $first) (local.get $second))))
)
