import { defineError } from '@outpost/contract/errors'

export const impersonationFailed = defineError('IMPERSONATION_FAILED', { status: 403, message: 'Impersonation Failed' })
export const redirectNotRegistered = defineError('REDIRECT_NOT_REGISTERED', {
  status: 400,
  message: 'The redirect address is not registered for this client.',
})
/** One answer whatever was wrong: nobody learns which passkeys there are. */
export const passkeyRefused = defineError('PASSKEY_REFUSED', {
  status: 401,
  message: 'This passkey does not sign you in here. Sign in with your password.',
})
