import { identifierSchema } from '@outpost/contract/input'
import { preferencesSchema } from '@outpost/contract/preferences'
import { z } from 'zod'

export const consoleTenant = z.strictObject({
  Id: identifierSchema,
  parentId: identifierSchema.nullable(),
  name: z.string(),
  shortCode: z.string(),
  type: z.number(),
  locationRequired: z.boolean(),
})
const hierarchies = z.array(z.strictObject({ hierarchy: z.string() }))
/** The signed-in user as the console keeps one. */
export const consoleUser = z.strictObject({
  Id: identifierSchema,
  userName: z.string(),
  emailAddress: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  roles: z.array(z.strictObject({ name: z.string() })),
  permissions: hierarchies,
  rolepermissions: hierarchies,
  tenants: z.array(consoleTenant),
  selectedTenant: consoleTenant,
  tours: z.record(z.string(), z.unknown()),
  preferences: preferencesSchema,
  /** Address of the person's picture. */
  picture: z.string().nullable(),
})
const menuItem = {
  key: z.string(),
  label: z.string(),
  icon: z.string(),
  path: z.string().optional(),
  hiddenOffline: z.boolean().optional(),
}

/** All that the shell of the console needs; contract/console.ts says what the parts mean. */
export const layoutAnswer = z.strictObject({
  user: consoleUser,
  realUser: z.strictObject({ Id: identifierSchema, firstName: z.string(), lastName: z.string() }).optional(),
  impersonation: z.strictObject({ reason: z.string(), endsAt: z.iso.datetime() }).optional(),
  mustChangePassword: z.boolean().optional(),
  company: z.strictObject({
    Id: identifierSchema,
    name: z.string(),
    country: z.string(),
    currency: z.string(),
    timeZone: z.string(),
    tiles: z.strictObject({ url: z.string(), attribution: z.string(), maxZoom: z.number().optional() }).optional(),
    formats: z.strictObject({ date: z.string(), number: z.string(), firstDay: z.string(), currency: z.string() }).optional(),
    look: z.strictObject({ colour: z.string().optional(), logo: z.string().optional() }).optional(),
  }),
  maySwitchTenant: z.boolean(),
  isFieldRole: z.boolean(),
  reach: z.array(z.strictObject({ Id: identifierSchema, path: z.array(identifierSchema) })).optional(),
  offlineDays: z.int().optional(),
  connectivityUrl: z.string().optional(),
  place: z.strictObject({ location: z.string(), lat: z.string(), lng: z.string() }).optional(),
  landing: z.string(),
  menu: z.array(z.strictObject({ ...menuItem, children: z.array(z.strictObject(menuItem)).optional() })),
  screens: z.array(
    z.strictObject({
      id: z.string(),
      path: z.string(),
      title: z.string(),
      layout: z.enum(['standard', 'plain']),
      offline: z.boolean(),
      permitted: z.boolean(),
      kind: z.string(),
      shape: z.enum(['list', 'form', 'detail', 'board', 'page']).optional(),
      createOrder: z.number().optional(),
      takesId: z.boolean().optional(),
    }),
  ),
  language: z.array(z.strictObject({ label: z.string(), value: z.string(), language: z.string().optional() })),
  version: z.string(),
  build: z.string(),
  serverNow: z.iso.datetime(),
})
/** A view is described by contract/views.ts: what it holds beside its kind depends on that. */
export const viewAnswer = z.strictObject({ view: z.looseObject({ kind: z.string(), title: z.string().optional() }) })
