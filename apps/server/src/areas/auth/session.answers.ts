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
/** A sign-in for another program goes back to it: `redirect`. */
export const loginAnswer = z.union([signedIn, z.strictObject({ redirect: z.string() })])
export const urlAnswer = z.strictObject({ url: z.string() })
/** `resetToken` for an invited person, who chooses a password next. */
export const verificationAnswer = z.strictObject({ resetToken: z.string().optional() })
export const logoutAnswer = z.strictObject({ impersonationEnded: z.boolean().optional() })
export const stateAnswer = z.strictObject({ state: z.string() })
/** With what belongs to one's own session again, if that still lasts. */
export const endedImpersonationAnswer = z.union([signedIn.extend({ ended: z.literal(true) }), z.strictObject({ ended: z.literal(true) })])
/** How many sessions were ended. */
export const endedAnswer = z.strictObject({ ended: z.int() })
export const deviceAnswer = z.strictObject({ deviceId: identifierSchema, refreshToken: z.string(), sessionEndsAt: time })
export const selectedTenantAnswer = z.strictObject({ selectedTenant: consoleTenant })
