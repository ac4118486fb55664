import { defineError } from '@outpost/contract/errors'

export const duplicateProduct = defineError('DUPLICATE_PRODUCT', { status: 409, message: 'A product of this code exists already.' })
