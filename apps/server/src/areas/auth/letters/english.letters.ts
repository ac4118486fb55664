import type { Letters } from './letters.ts'

export const english: Letters = {
  hello: (firstName) => `Hello ${firstName},`,
  reset: ['Reset your password', 'Open this link within one hour to choose a new password:'],
  verify: ['Confirm your e-mail address', 'Open this link within seven days to confirm your e-mail address:'],
  invite: ['Your account is ready', 'An account was made for you. Open this link within seven days to choose a password:'],
  ignore: 'If you did not ask for this, ignore this message: nothing changes.',
  notices: {
    'factor-on': ['Your second factor is on', 'From now on a code of your authenticator is asked for when you sign in.'],
    'factor-off': ['Your second factor is off', 'From now on your password alone signs you in.'],
    'factor-reset': [
      'An administrator removed your second factor',
      'Set up your authenticator again, in your profile or at the next sign-in.',
    ],
    'passkey-on': ['You have a new passkey', 'From now on it signs you in without the password.'],
    'passkey-off': ['A passkey of yours was removed', 'It does not sign you in any more.'],
    'passkeys-reset': ['An administrator removed your passkeys', 'Sign in with your password and make new ones in your profile.'],
    'recovery-codes': ['You have new recovery codes', 'The recovery codes you had before are no good any more.'],
    'recovery-used': [
      'A recovery code was used to sign in',
      'Each recovery code works once. Make new ones in your profile when few are left.',
    ],
  },
  noticeWarning: 'If this was not you, change your password at once and tell an administrator.',
  newDevice: {
    subject: 'You signed in from a new device',
    intro: 'Somebody signed in to your account from a device that you had not used before:',
    when: 'When: ',
    how: 'How: ',
    device: 'Device: ',
    address: 'Address: ',
    unknown: 'Not known',
    ways: {
      password: 'With the password',
      biometric: 'With a fingerprint or face',
      passkey: 'With a passkey',
      code: 'With a one-time code',
      saml: 'With the account of the organisation (SAML)',
    },
    on: ' on ',
    unknownBrowser: 'Unknown browser',
    fine: 'If this was you, there is nothing to do.',
    ask: 'If this was not you, open this link within seven days. It ends all your sessions, and you choose a new password:',
  },
}
