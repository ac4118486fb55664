import { defineError } from '@outpost/contract/errors'

export const tenantCompanyNotFound = defineError('TENANT_COMPANY_NOT_FOUND', { status: 404, message: 'Unable to retrieve Tenant Company.' })
