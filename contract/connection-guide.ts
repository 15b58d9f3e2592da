/** The instructions for connecting a frame. The page and the printable sheet share this text. */
export const connectionGuide = {
  pdfPath: '/guides/connect-your-frame.pdf',
  title: 'How to connect your frame',
  lede: 'Five steps, about ten minutes. You can add your photos before or after this.',
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
        'Open the menu on the frame and look for the page that invites someone to send pictures. It is usually called Invite, Add a friend, Share or Connect. It shows a code of letters and digits, a QR code, or both.',
    },
    {
      title: 'Send us one of them',
      words:
        'Open your order and go to Connect your frame. Type the code exactly as shown, or take a photo of the QR code with your phone and choose it there. You only need one of the two.',
    },
    {
      title: 'We do the rest',
      words:
        'We connect to your frame within 24 hours. When your videos are ready, they arrive on it over Wi-Fi. You also get an email with a private page where you can save them.',
    },
  ],
  help: {
    title: 'If you cannot find the code',
    /** The text before and after the email address. */
    before:
      'Menus differ from frame to frame, especially if you brought your own. Send us a photo of the menu, and we will tell you where to look:',
    after: 'You can add your photos now and send us the code at any time.',
  },
} as const;
