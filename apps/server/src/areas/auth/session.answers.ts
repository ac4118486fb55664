import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'
import { consoleTenant, consoleUser } from '../../kernel/screens/console.answers.ts'

const time = z.iso.datetime()

const signedIn = z.strictObject({
  user: consoleUser,
  /** The access token, and when it ends. */
  token: z.string(),
  expiresAt: time,
  /** For programs of ours only; browsers have it in a cookie. */
  refreshToken: z.string().optional(),
  sessionEndsAt: time,
  serverNow: time,
  policy: z.enum(['admin', 'office', 'field']),
  landing: z.string(),
  mustChangePassword: z.boolean().optional(),
  impersonation: z.strictObject({ reason: z.string(), endsAt: time }).optional(),
})
/** What every way of signing in answers. */
export const signedInAnswer = signedIn
const redirect = z.strictObject({ redirect: z.string() })
/** What an authenticator needs: the secret in base 32, and the same as an address for its QR code. */
const enrolment = z.strictObject({ secret: z.string(), uri: z.string() })
/** The password was right and a code is asked for; `enrolment` for who has no authenticator yet and must have one. */
const step = z.strictObject({ step: z.enum(['code', 'enrol']), challenge: z.string(), expiresAt: time, enrolment: enrolment.optional() })
/** A sign-in for another program goes back to it: `redirect`. With a second factor a step comes between. */
export const loginAnswer = z.union([signedIn, redirect, step])
/** A passkey is both factors: no step follows. */
export const passkeyLoginAnswer = z.union([signedIn, redirect])
/** Codes that replace the authenticator, once each; shown this one time. */
const recoveryCodes = z.array(z.string())
export const loginStepAnswer = z.union([
  signedIn.extend({ recoveryCodes: recoveryCodes.optional() }),
  redirect.extend({ recoveryCodes: recoveryCodes.optional() }),
])
export const secondFactorAnswer = z.strictObject({
  isOn: z.boolean(),
  /** A role of the user asks for it, so that it cannot be switched off. */
  isRequired: z.boolean(),
  since: time.nullable(),
  recoveryCodesLeft: z.int(),
})
export const enrolmentAnswer = enrolment
export const recoveryCodesAnswer = z.strictObject({ recoveryCodes })
/** `name`: what the program is called, for the person who is asked to sign in for it. */
export const urlAnswer = z.strictObject({ url: z.string(), name: z.string() })
/** `resetToken` for an invited person, who chooses a password next. */
export const verificationAnswer = z.strictObject({ resetToken: z.string().optional() })
/** With what the person chooses a new password; the old one is good for nothing any more. */
export const notMeAnswer = z.strictObject({ resetToken: z.string() })
/** `signOutUrl`: where the person signs out at the identity provider that vouched for them, and comes back from. */
export const logoutAnswer = z.strictObject({ impersonationEnded: z.boolean().optional(), signOutUrl: z.string().optional() })
export const stateAnswer = z.strictObject({ state: z.string() })
/** With what belongs to one's own session again, if that still lasts. */
export const endedImpersonationAnswer = z.union([signedIn.extend({ ended: z.literal(true) }), z.strictObject({ ended: z.literal(true) })])
/** How many sessions were ended. */
export const endedAnswer = z.strictObject({ ended: z.int() })
export const deviceAnswer = z.strictObject({ deviceId: identifierSchema, refreshToken: z.string(), sessionEndsAt: time })
export const selectedTenantAnswer = z.strictObject({ selectedTenant: consoleTenant })
