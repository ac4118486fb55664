/** What happened to how somebody signs in; each is told by mail. */
export const noticeKinds = [
  'factor-on',
  'factor-off',
  'factor-reset',
  'passkey-on',
  'passkey-off',
  'passkeys-reset',
  'recovery-codes',
  'recovery-used',
] as const
export type Notice = (typeof noticeKinds)[number]
export const signInWays = ['password', 'biometric', 'passkey', 'code', 'saml'] as const
export type SignInWay = (typeof signInWays)[number]

/** The mails about an account, in one language. */
export interface Letters {
  hello: (firstName: string) => string
  /** Subject, and the sentence above the link. */
  reset: [subject: string, ask: string]
  verify: [subject: string, ask: string]
  invite: [subject: string, ask: string]
  ignore: string
  notices: Record<Notice, [subject: string, body: string]>
  noticeWarning: string
  newDevice: {
    subject: string
    intro: string
    when: string
    how: string
    device: string
    address: string
    unknown: string
    ways: Record<SignInWay, string>
    /** A browser on a system. */
    on: string
    unknownBrowser: string
    fine: string
    ask: string
  }
  /** With the day of the week; undefined where the company's own way of writing days is in this language. */
  moment?: (moment: Date, timeZone: string) => string
}
