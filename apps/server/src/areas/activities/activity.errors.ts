import { defineError } from '@outpost/contract/errors'

export const activityNotFound = defineError('ACTIVITY_NOT_FOUND', { status: 404, message: 'Activity not found' })
