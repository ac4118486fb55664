import { fail } from '@outpost/contract/errors'
import { commandInputs, type CommandName } from '@outpost/contract/geo/commands'
import { z } from 'zod'
import type { DeviceCommand } from './command.ts'

export type Parameters = DeviceCommand['parameters']

/** How a model expects a command; nothing here may contain a second command. */
const ingestServices = {
  /** Teltonika: packet with or without the IMEI. */
  codec: z.union([z.literal(12), z.literal(14)]).optional(),
  /** GT06: adds two bytes of language after the text. */
  language: z.boolean().optional(),
  /** The wording that clones understand. */
  alternative: z.boolean().optional(),
  password: z
    .string()
    .regex(/^[0-9A-Za-z]{1,16}$/, 'may hold letters and digits')
    .optional(),
}
const plain = z.strictObject(ingestServices)
const whole = ({ min, max }: { min: number; max: number }) => z.coerce.number().pipe(z.int().min(min).max(max))

/** All commands, by Traccar's names, with the schema of their parameters. */
const catalogue = {
  custom: z.strictObject({ data: z.string().min(1, 'is required').max(commandInputs.data.maxLength), ...ingestServices }),
  engineStop: z.strictObject({ pulsed: z.boolean().optional(), ...ingestServices }),
  engineResume: z.strictObject({ pulsed: z.boolean().optional(), ...ingestServices }),
  outputControl: z.strictObject({ index: whole(commandInputs.index), data: whole({ min: 0, max: 1 }), ...ingestServices }),
  positionSingle: plain,
  positionPeriodic: z.strictObject({ frequency: whole(commandInputs.frequency), ...ingestServices }),
  rebootDevice: plain,
  getVersion: plain,
  getDeviceStatus: plain,
  alarmArm: plain,
  alarmDisarm: plain,
} satisfies Record<CommandName, z.ZodType>

const types = Object.keys(catalogue)
const schemas: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(catalogue))

/** The name of an existing command. */
export const commandType = z.string().refine((type) => schemas.has(type), `is no command; there are ${types.join(', ')}`)

/** Normalises the parameters where they are valid, else returns them unchanged, for comparison with a request that was parsed before. */
export function comparableParameters(type: string, parameters: Parameters): Parameters {
  const read = schemas.get(type)?.safeParse(parameters)
  return read?.success ? (read.data as Parameters) : parameters
}

/** Parses the parameters of a command; INVALID names what it does not accept. */
export function readParameters(type: string, parameters: Parameters): Parameters {
  const schema =
    schemas.get(type) ?? fail('INVALID', { fields: [{ field: 'commandType', message: `is no command; there are ${types.join(', ')}` }] })
  return schema.parse(parameters) as Parameters
}
