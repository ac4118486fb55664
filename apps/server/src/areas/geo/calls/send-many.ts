import { geoAnswers } from '@outpost/contract/geo/answers'
import { geoCalls, geoShapes } from '@outpost/contract/geo/calls'
import { commandInputs } from '@outpost/contract/geo/commands'
import { toFailure } from '@outpost/platform/failures'
import { optionalNumber } from '@outpost/contract/input'
import { z } from 'zod'
import { may, route } from '../../../kernel/area.ts'
import type { GeoClient } from '../../../kernel/geo-client/client.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import type { Ctx, Route } from '../../../kernel/types.ts'
import { askGeo } from './ask-geo.ts'

const atOnce = 8
const most = 500

const input = z.strictObject({
  /** Devices. */
  ids: z.array(idSchema).min(1, 'is required').max(most, `may hold ${most} devices at most`),
  /** A type, or the Id of a saved command. */
  commandType: z.string().regex(geoShapes.commandType, 'is no command'),
  reason: z.string().max(commandInputs.reason.maxLength).nullish(),
  /** Seconds, of positionPeriodic. */
  frequency: optionalNumber(z.number()),
  /** Number of the output and 0 or 1, of outputControl; `data` alone is the raw text of custom. */
  index: optionalNumber(z.number()),
  data: z.union([z.string().max(commandInputs.data.maxLength), z.number()]).nullish(),
})
type Input = z.infer<typeof input>

const verdict = z.strictObject({
  Id: idSchema,
  isDone: z.boolean(),
  /** Where it is done: queued, or asked when a second person must approve. */
  state: z.string().optional(),
  commandId: idSchema.optional(),
  message: z.string().optional(),
})
type SendVerdict = z.infer<typeof verdict>

/** One command to many devices. Each is asked by itself, so that one that refuses keeps no other from its command. */
export const sendManyRoute = (client: GeoClient): Route =>
  route('devices.sendMany', 'POST', '/api/geo/device/sendCommand', may(...geoCalls['devices.sendCommand'].anyOf), {
    kind: 'command',
    input,
    answer: z.strictObject({ results: z.array(verdict) }),
    // Writes nothing here: no transaction is held while the other side works.
    isReadOnly: true,
    run: async (ctx, given) => {
      const ids = [...new Set(given.ids)]
      const results: SendVerdict[] = []
      for (let at = 0; at < ids.length; at += atOnce)
        results.push(...(await Promise.all(ids.slice(at, at + atOnce).map((id) => sendOne(client, ctx, id, given)))))
      return { data: { results } }
    },
  })

async function sendOne(client: GeoClient, ctx: Ctx, id: string, { ids: _, commandType, ...given }: Input): Promise<SendVerdict> {
  try {
    const body = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined && value !== ''))
    const params = { deviceId: id, commandType }
    const { data } = await askGeo(client, ctx, 'devices.sendCommand', { params, body, shape: geoAnswers['devices.sendCommand'] })
    return { Id: id, isDone: true, state: data.state, commandId: data.commandId }
  } catch (error) {
    const { message, more } = toFailure(error, ctx.log)
    const words = more.fields?.map((one) => `${one.field}: ${one.message}`).join('; ')
    return { Id: id, isDone: false, message: words || message }
  }
}
