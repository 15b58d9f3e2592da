/** The acts of the audit trail whose name alone does not say what happened. */
const texts: Record<string, string> = {
  'admin-sign-in': 'Signed in',
  'admin-sign-in-failed': 'Sign-in failed',
  'admin-code-asked': 'Entered the password, was asked for the code',
  'admin-codes-locked': 'Too many wrong codes',
  'admin-proved': 'Confirmed their identity',
  'admin-proof-failed': 'Failed to confirm their identity',
  'begin-passkey': 'Started to add a passkey',
  'begin-second-factor': 'Started to set up the second step',
  'end-admin-session': 'Signed out one browser',
  'end-other-admin-sessions': 'Signed out all other browsers',
  'owner-unlocked': 'Sign-in unlocked on the server',
  'second-factor-on': 'Second step turned on',
  'second-factor-off': 'Second step turned off',
  'note-cloud': 'Updated the connection of a frame',
  'put-film': 'Replaced a video',
  'wish-day-sheet': 'Changed the daily to-do email',
  'invite-staff': 'Invited a person',
  'invite-staff-again': 'Sent an invitation again',
  'accept-invitation': 'Accepted the invitation',
  'edit-staff': 'Changed a person of the staff',
  'remove-staff': 'Removed a person of the staff',
};

/** An act of the audit trail in words: `refund-order` is “Refund order”. */
export const actText = (act: string): string =>
  texts[act] ?? `${act[0]?.toUpperCase()}${act.slice(1)}`.replaceAll('-', ' ');
