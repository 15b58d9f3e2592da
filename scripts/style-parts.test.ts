import { expect, test } from 'vitest';
import { selectUsedStyles } from '#server/pages/style-parts.ts';
import { splitStylesheet } from './style-parts.ts';

const computeStyle = (css: string, html: string) => selectUsedStyles(html, splitStylesheet(css));

test('keeps only the rules for the elements and classes of a page', () => {
  const css = 'h1{margin:0}.a{color:red}.b{color:blue}.a.b{top:0}.a .c{left:0}';
  expect(computeStyle(css, '<h1 class="a">')).toBe('h1{margin:0}.a{color:red}');
  expect(computeStyle(css, '<h1 class="b a x">')).toBe('h1{margin:0}.a{color:red}.b{color:blue}.a.b{top:0}');
  expect(computeStyle(css, '<p>a b c</p>')).toBe('h1{margin:0}');
});

test('reads class names with the escapes of the stylesheet and of the page', () => {
  const css = String.raw`.sm\:w-\[calc\(100\%-2rem\)\]{width:1px}.\[\&\>p\]\:m-0>p{margin:0}.after\:content-\[\'x\'\]:after{top:0}`;
  expect(computeStyle(css, '<i class="sm:w-[calc(100%-2rem)] [&amp;&gt;p]:m-0 after:content-[&#x27;x&#x27;]">')).toBe(
    css,
  );
  expect(computeStyle(css, '<i class="sm:w-[calc(100%-3rem)]">')).toBe('');
});

test("keeps a rule that depends on a state or another element if the page has the rule's own class", () => {
  const css = String.raw`.group-open\:flip:is(:where(.group)[open] *){rotate:180deg}.shut:not(.open):hover{opacity:0}:is(.x,.y) b{top:0}`;
  expect(computeStyle(css, '<i class="group-open:flip">')).toContain('rotate:180deg');
  expect(computeStyle(css, '<i class="shut">')).toContain('opacity:0');
  expect(computeStyle(css, '<b>')).toBe(':is(.x,.y) b{top:0}');
});

test('keeps a rule if one of its selectors matches the page, and keeps rules without a class for every page', () => {
  const css = '@layer base,utilities;@font-face{font-family:F}@keyframes k{to{top:0}}.a,.b{top:0}.c,p{left:0}';
  expect(computeStyle(css, '<i class="b">')).toBe(css);
});

test('keeps at-rules around the remaining rules, and the order of all rules', () => {
  const css = '@layer utilities{.a{top:0}@media (width>=40rem){.b{top:1px}.a{top:2px}}@media print{.c{top:0}}}';
  expect(computeStyle(css, '<i class="a">')).toBe('@layer utilities{.a{top:0}@media (width>=40rem){.a{top:2px}}}');
  expect(computeStyle(css, '<i>')).toBe('');
});
