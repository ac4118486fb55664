import { defineError } from '@outpost/contract/errors'

export const noActivityAssignment = defineError('NO_ACTIVITY_ASSIGNMENT', { status: 422, message: 'No activity assignment found' })
