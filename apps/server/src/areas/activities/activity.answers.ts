import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'
import { recordSchema } from '../../kernel/resource/answers.ts'
import { activity } from './activity.resource.ts'

const time = z.iso.datetime()
const moment = z.union([time, z.iso.date()])
const text = z.string().nullable()

export const agentsAnswer = z.strictObject({
  agents: z.array(
    z.strictObject({
      Id: identifierSchema,
      firstName: z.string(),
      lastName: z.string(),
      label: z.string(),
      activityAssignmentId: identifierSchema,
      statusId: identifierSchema.nullable(),
      statusText: text,
      distance: z.number().nullable(),
      isOutOfRange: z.boolean(),
    }),
  ),
})
export const activitiesAnswer = () => z.strictObject({ activities: z.array(recordSchema(activity, 'list')) })

const option = {
  Id: identifierSchema,
  name: z.string(),
  tenantId: identifierSchema,
  status: z.int(),
  colour: text,
  default: z.boolean(),
  position: z.int(),
  shortCode: z.string(),
  value: identifierSchema,
  label: z.string(),
  text: z.string(),
}
export const typesAnswer = z.strictObject({
  activityTypes: z.array(z.strictObject({ ...option, geofenceRadius: z.int().nullable(), duration: z.int() })),
})
export const statusesAnswer = z.strictObject({ activityStatuses: z.array(z.strictObject({ ...option, meaning: z.string() })) })
export const assignmentAnswer = z.strictObject({
  activityAssignment: z.strictObject({
    Id: identifierSchema,
    activityId: identifierSchema,
    userId: identifierSchema,
    statusId: identifierSchema.nullable(),
    statusText: text,
    statusReason: text,
    statusDateCreated: time.nullable(),
    distance: z.number().nullable(),
    isOutOfRange: z.boolean(),
    dateCreated: time,
  }),
})
export const layerAnswer = z.strictObject({
  entries: z.array(
    z.strictObject({ Id: identifierSchema, title: z.string(), start: moment, end: moment.nullable().optional(), note: text.optional() }),
  ),
})
/** `address` is null where there is none. */
export const feedAnswer = z.strictObject({
  calendarFeed: z.strictObject({
    Id: z.literal('mine'),
    title: z.string(),
    note: z.string(),
    address: text,
    dateCreated: time.nullable(),
    lastReadAt: time.nullable(),
  }),
})
const full = () => recordSchema(activity, 'detail')
export const changedAnswer = () => z.strictObject({ activities: z.array(full()) })
/** `gpsLogged`: whether the device's place was kept, where one was asked for. */
export const workedAnswer = () => z.strictObject({ activity: full(), gpsLogged: z.boolean().optional() })
