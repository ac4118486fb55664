import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'
import { openConnection } from '../../kernel/providers/connection.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { gateway } from './gateway.ts'

const range = z
  .string()
  .trim()
  .regex(/^[0-9a-f.:]{2,45}(\/\d{1,3})?$/i, 'is not an address or range')
export const openInput = z.strictObject({ addresses: z.array(range).min(1, 'is required').max(50) })
export const openAnswer = z.strictObject({ Id: identifierSchema, key: z.string() })

/** Opens the doors of a USSD gateway for a company; the list of provider connections closes them. */
export async function openGateway(ctx: Ctx, { addresses }: z.infer<typeof openInput>): Promise<Answer> {
  const { Id, key } = await openConnection(ctx, { provider: gateway, addresses })
  return { data: { Id, key }, message: 'The gateway is connected' }
}
