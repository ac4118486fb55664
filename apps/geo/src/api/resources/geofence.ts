import { fail } from '@outpost/contract/errors'
import { ruleHours } from '@outpost/contract/geo/rules'
import { numberLike } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { readShape } from '../../fences/read-shape.ts'
import { rowOfShape } from '../../fences/row.ts'
import { baseFields, type GeoResource, usualFilters, type Write } from '../crud/resource.ts'
import { fieldsOf } from '../../sql/fields.ts'
import { attributes, id, name } from '../input.ts'
import { withJson } from './event-io.ts'

const settable = {
  tenantId: id,
  name,
  type: z.enum(['geofence', 'poi']),
  /** circle, polygon or route; without it the area decides. */
  shape: z.enum(['circle', 'polygon', 'route']),
  description: z.string().trim().max(1_000).nullable(),
  /** GeoJSON, or Traccar's CIRCLE, POLYGON and LINESTRING (latitude first). readShape reports its errors. */
  area: z.union([z.string().max(1_000_000), z.record(z.string(), z.unknown())], 'must be GeoJSON or text'),
  /** metres */
  radius: numberLike(z.number().nullable()),
  colour: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'is not a colour like #1677ff')
    .nullable(),
  /** km/h */
  speedLimit: numberLike(z.number().min(1).max(300).nullable()),
  /** seconds */
  enterDelay: numberLike(z.int().min(0).max(600)),
  exitDelay: numberLike(z.int().min(0).max(600)),
  calendar: ruleHours.nullable(),
  tags: z.array(z.string().trim().min(1).max(40)).max(20),
  isActive: z.boolean(),
  attributes,
}
const { name: called, area, ...rest } = settable

/** A fence or point of interest in GeoJSON. Lists with `deviceId` add the state of that device. */
export const geofence: GeoResource = {
  one: 'geofence',
  many: 'geofences',
  table: 'geofence',
  fields: {
    ...baseFields,
    ...fieldsOf([
      'name',
      'type',
      'shape',
      'description',
      'area',
      'radius',
      'colour',
      'speedLimit',
      'enterDelay',
      'exitDelay',
      'calendar',
      'tags',
      'isActive',
      'attributes',
    ]),
    // Whole metres: nobody draws more exactly.
    squareMetres: sql`round(t."squareMetres")`,
    edgeMetres: sql`round(t."edgeMetres")`,
    devices: sql`(select count(*)::int from geo.geofence_link k where k."companyId" = t."companyId" and k."geofenceId" = t."id")`,
  },
  sorts: ['name', 'type', 'shape', 'radius', 'squareMetres', 'edgeMetres', 'speedLimit', 'isActive', 'dateCreated', 'dateModified'],
  sort: ['name', 'ASC'],
  filters: { ...usualFilters('type', 'shape', 'description'), isActive: { kind: 'boolean' } },
  create: z.strictObject({ name: called, area, ...z.object(rest).partial().shape }),
  update: z.strictObject({ id, version: z.int().optional(), ...z.object(settable).partial().shape }),
  columns: (work) => {
    const { tags, ...plain } = work.input
    return { ...withJson({ ...plain, ...shapeColumns(work) }), ...(tags === undefined ? {} : { tags: tags as string[] }) }
  },
}

/** The fences linked to a device, each with the device's state. */
export const linkedTo = (deviceId: string): Statement =>
  sql`t."id" in (select k."geofenceId" from geo.geofence_link k where k."companyId" = t."companyId" and k."deviceId" = ${deviceId})`

/** The same kind of record with the state of one device at it. */
export const geofenceOf = (deviceId: string): GeoResource => ({
  ...geofence,
  joins: sql`left join geo.fence_state s on s."companyId" = t."companyId" and s."geofenceId" = t."id" and s."deviceId" = ${deviceId}`,
  fields: {
    ...geofence.fields,
    state: sql`coalesce(s."state", 'unknown')`,
    stateSince: sql`s."since"`,
    isStale: sql`coalesce(s."isStale", false)`,
  },
})

const ofShape = ['type', 'shape', 'area', 'radius']

/** Type, shape, area and radius depend on each other: when one is given, all are validated. */
function shapeColumns({ input, before }: Write): Record<string, unknown> {
  if (before && !ofShape.some((key) => Object.hasOwn(input, key))) return {}
  const given = { ...before, ...input }
  // When the area is replaced, its kind follows from the new area; so does a radius that was not given.
  const kept = input.area === undefined ? before?.shape : undefined
  const isPoi = given.type === 'poi'
  const { shape, problems } = readShape({
    type: isPoi ? 'poi' : (input.shape ?? kept ?? 'geofence'),
    area: given.area,
    radius: input.radius ?? (kept === undefined ? undefined : given.radius),
  })
  if (!shape)
    return fail('INVALID', { fields: problems.map(({ field, message }) => ({ field: field === 'type' ? 'shape' : field, message })) })
  return { ...rowOfShape(shape) }
}
