import { defineError } from '@outpost/contract/errors'

export const leadNotFound = defineError('LEAD_NOT_FOUND', { status: 404, message: 'lead not found' })
export const duplicateLead = defineError('DUPLICATE_LEAD', {
  status: 400,
  message: 'Unable to create lead, lead already exists.',
  title: 'Duplicate email or phone number.',
})
