import { defineError } from '@outpost/contract/errors'

/** What is wrong with an assertion is the administration's to know: it is kept with the provider and not told at the door. */
export const samlRefused = defineError('SAML_REFUSED', {
  status: 401,
  message: 'Your organisation’s sign-in was not accepted here. Try again, or ask an administrator.',
})
