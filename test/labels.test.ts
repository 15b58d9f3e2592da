import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '#server/project-folder.ts';

/** Labels that the specification gives. */
const specifiedLabels = [
  '+10 AI Photo Package',
  'About Us',
  'Access Denied',
  'Add Customer Details',
  'Authentication Required',
  'Awaiting Photos',
  'Back to Details',
  'Back to Home',
  'Bring Your Own Frame',
  'Bring Your Own Frame AI animation service',
  'Buy More Photos',
  'Check Your Email',
  'Compatible Frames',
  'Complete Payment',
  'Connect Your Frame',
  'Contact Support',
  'Continue Shopping',
  'Customer Details',
  'Delete Failed',
  'Edit User',
  'Failed to Generate Link',
  'Feature Cards',
  'Finalization Failed',
  'Go to Home',
  'How It Works',
  'How it Works',
  'How to Connect Your Frame',
  "I'm Done",
  'Invalid Link',
  'Kinframe Digital Picture Frame',
  'Logged Out',
  'Login Failed',
  'Logout Failed',
  'Mark as Completed',
  'Missing Customer Details',
  'My Uploads',
  "No, I'll Come Back Later",
  'No Files Selected',
  'No Information Provided',
  'No Photos Yet',
  'No Purchase',
  'No Purchases Found',
  'Order Complete',
  'Order Updated',
  'Orders & Uploads',
  'Password Reset Failed',
  'Payment Error',
  'Payment Failed',
  'Payment Processing Error',
  'Payment Successful',
  'Processing Payment...',
  'Ready for Production',
  'Registration Error',
  'Registration Failed',
  'Reset Request Failed',
  'Save Changes',
  'Selection Error',
  'Service Specifications',
  'Shop Now',
  'Sign In',
  'Sign Out',
  'Sign Up',
  'Site Settings',
  'Start Uploading Photos Now',
  'Submit Another Request',
  'Support Request Received',
  'Support Tickets',
  'Update Failed',
  'Update Order',
  'Upload Failed',
  'Upload Link Failed',
  'Upload Link Generated',
  'Upload Management',
  'Upload More Photos',
  'User Updated',
  'Verification Failed',
  "What's Included",
  "Yes, I'm Done!",
];
/** Names of products, companies, documents and places, which have capital letters everywhere. */
const names = [
  'Kinframe',
  'Wi-Fi',
  'Excel',
  'JavaScript',
  'American Express',
  'Canada Post',
  'Diners Club',
  'Privacy Policy',
  'Terms of Service',
  'United States',
  'Canada',
  'Oregon',
  'Albany',
  'Portland',
  'London',
  'Rose Winter',
  'Ctrl Enter',
  'Home Screen',
  'WebP',
];
/** The longest come first, because some contain others. */
const capitalizedTexts = [...specifiedLabels, ...names].toSorted((a, b) => b.length - a.length);

/** The texts of elements, and the strings of properties that are labels. */
const labelPatterns = [
  /^ +([A-Z][^<>{}()=;:`]*)$/gm,
  />([A-Z][^<>{}()=;]*)</g,
  /\b(?:title|label|words|\w+Label|\w*[tT]itle|done|failed)(?:=|: )["']([^"\n]*?)["'][,\s/>)]/g,
  /[?:] ["']([A-Z][\w ’',&-]*)["']/g,
];
const isInTitleCase = (label: string) => {
  let rest = label.replaceAll('’', "'");
  for (const text of capitalizedTexts) rest = rest.replaceAll(text, (it) => it.toLowerCase());
  // A comma or a colon can be followed by the name of another part of the panel.
  return rest.split(/[,:] /).some((part) => / [A-Z][a-z]/.test(part));
};
/** Whether a text has several sentences or ends like one. Such a text is no label. */
const isProse = (text: string) => /[.?!] |[^.]\.$|\n/.test(text);

test('labels of pages are in sentence case, except those that the specification gives', () => {
  const paths = globSync('web/**/*.{ts,tsx}', { cwd: projectFolder, exclude: (name) => /\.test\.|\.gen\./.test(name) });
  const labels = paths.flatMap((path) => {
    const source = readFileSync(join(projectFolder, path), 'utf8');
    return labelPatterns.flatMap((it) =>
      Array.from(source.matchAll(it), ([, text]) => ({ path, label: text!.trim() })),
    );
  });
  expect(labels.length).toBeGreaterThan(500);
  expect(labels.filter(({ label }) => !isProse(label) && isInTitleCase(label))).toEqual([]);
});
