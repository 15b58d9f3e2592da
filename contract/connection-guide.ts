/** How to connect a frame, word for word: the page and the sheet to print say the same. */
export const connectionGuide = {
  pdfPath: '/guides/connect-your-frame.pdf',
  title: 'How to connect your frame',
  lede: 'Five steps, about ten minutes. Add your photos before, after or meanwhile: one does not wait for the other.',
  steps: [
    {
      title: 'Plug the frame in',
      words: 'Put it where you want it, within reach of your Wi-Fi. It switches on by itself.',
    },
    {
      title: 'Join your Wi-Fi',
      words:
        'Choose the name of your Wi-Fi on the frame and enter its password. If the frame was used before, look for Wi-Fi or Network in its settings.',
    },
    {
      title: 'Find the invitation code or the QR code',
      words:
        'Open the menu on the frame and look for the page that invites somebody to send pictures. It is usually called Invite, Add a friend, Share or Connect. It shows a code of letters and digits, a QR code, or both.',
    },
    {
      title: 'Send us one of them',
      words:
        'On the page Connect your frame, which your order leads to, type the code as it stands, or take a photo of the QR code with your phone and choose it there. One of the two is enough.',
    },
    {
      title: 'We do the rest',
      words:
        'We connect to your frame within 24 hours. When your videos are finished they arrive on it over Wi-Fi, and you get a mail with a private page to keep them, too.',
    },
  ],
  help: {
    title: 'If the code does not show',
    /** Before and after the address to write to. */
    before:
      'Menus differ from frame to frame, above all if you brought your own. Send us a photo of the menu, and we tell you where to look:',
    after: 'You can add your photos meanwhile, and send us the code at any time.',
  },
} as const;
