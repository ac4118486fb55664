import { defineError } from '@outpost/contract/errors'

export const categoryNotFound = defineError('REPORT_CATEGORY_NOT_FOUND', {
  status: 404,
  message: 'Failed to retrieve report_category details',
})
