/** The support tickets of the demo. */
export const sampleMessages = [
  {
    kind: 'support' as const,
    name: 'Ben Okafor',
    email: 'ben@example.com',
    smsConsent: false,
    subject: 'Scans of old slides',
    message: 'I have slides from the seventies, scanned quite small. Are they large enough for the frame?',
  },
  {
    kind: 'contact' as const,
    name: 'Mira Novak',
    email: 'mira@example.com',
    smsConsent: false,
    subject: 'Frames for a care home',
    message: 'We would like four frames for our common rooms. Can one person look after the photos of all of them?',
  },
];
