import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'

const named = { Id: identifierSchema, parentId: identifierSchema.nullable(), name: z.string(), shortCode: z.string() }
const typed = { type: z.number(), tenant_type: z.number(), locationRequired: z.boolean() }
const inTree = z.strictObject({
  ...named,
  ...typed,
  companyId: identifierSchema,
  location: z.string().nullable(),
  lat: z.number().nullable(),
  lng: z.number().nullable(),
})
/** A tenant with all below it. */
const arranged = inTree.extend({ children: z.array(z.unknown()) })

export const typesAnswer = z.strictObject({ tenanttypes: z.array(z.strictObject({ Id: z.number(), name: z.string() })) })
export const treeAnswer = z.strictObject({ tenants: z.array(inTree), tenantsArranged: z.array(arranged) })
export const ofUserAnswer = z.strictObject({ tenants: z.array(z.strictObject({ ...named, ...typed })) })
export const countAnswer = z.strictObject({ count: z.number(), companies: z.number(), branches: z.number(), teams: z.number() })
export const companyAnswer = z.strictObject({
  tenantCompany: z.strictObject({
    Id: identifierSchema,
    name: z.string(),
    shortCode: z.string(),
    type: z.number(),
    country: z.string().nullable(),
    currency: z.string().nullable(),
    timeZone: z.string().nullable(),
  }),
})
export const currencyAnswer = z.strictObject({ tenantCurrency: z.strictObject({ currency: z.string(), country: z.string() }) })
/** Latitude and longitude are text, as the specification has them. */
export const locationAnswer = z.strictObject({
  location: z.strictObject({ location: z.string(), lat: z.string(), lng: z.string() }),
})
