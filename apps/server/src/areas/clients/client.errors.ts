import { defineError } from '@outpost/contract/errors'

/** One person is one client of a company. */
export const duplicateClient = defineError('DUPLICATE_CLIENT', {
  status: 400,
  message: 'Unable to save client, client already exists.',
  title: 'Another client has this phone number, e-mail or ID number.',
})
