import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { closeConnection, openConnection } from '../../kernel/providers/connection.ts'
import { defineResource } from '../../kernel/resource/define.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { gateway } from './gateway.ts'

/** A connection that a USSD gateway calls in by. Its key is shown once. */
export const ussdConnection = defineResource({
  model: 'providerConnection',
  one: 'ussdConnection',
  many: 'ussdConnections',
  label: 'USSD gateway',
  labelMany: 'USSD gateways',
  title: 'addresses',
  writtenBy: 'company',
  visible: () => sql`t."provider" = ${gateway}`,
  fields: {
    addresses: { kind: 'tags', label: 'May call from', readOnly: true },
    isOpen: { kind: 'boolean', label: 'Open', readOnly: true, sql: `t."revokedAt" is null` },
    dateCreated: { kind: 'dateTime', label: 'Opened', readOnly: true },
    revokedAt: { kind: 'dateTime', label: 'Closed', readOnly: true },
  },
  list: {
    columns: ['addresses', 'isOpen', 'dateCreated', 'revokedAt'],
    sort: ['dateCreated', 'DESC'],
    size: 100,
    empty: { title: 'No gateway is connected', body: 'Connect one, and clients reach you from any phone.' },
  },
  actions: [
    {
      route: 'ussd.openConnection',
      label: 'Connect a gateway',
      scope: 'page',
      form: {
        addresses: {
          kind: 'tags',
          label: 'Addresses it calls from',
          required: true,
          help: 'IP addresses or ranges such as 196.201.214.0/24',
        },
      },
      reveals: {
        value: 'key',
        title: 'The key of the gateway',
        body: 'Give the gateway /hooks/ussd/ of this server for sessions and /hooks/ussd-ended/ for their ends, each with the key behind it. It is not shown again.',
      },
    },
    {
      route: 'ussd.closeConnection',
      label: 'Close',
      scope: 'row',
      danger: true,
      visibleIf: { eq: ['isOpen', true] },
      confirm: { title: 'Close this connection?', body: 'Whoever calls with its key is refused from now on.' },
    },
  ],
})

const range = z
  .string()
  .trim()
  .regex(/^[0-9a-f.:]{2,45}(\/\d{1,3})?$/i, 'is not an address or range')
export const openInput = z.strictObject({ addresses: z.array(range).min(1, 'is required').max(50) })
export const openAnswer = z.strictObject({ Id: identifierSchema, key: z.string() })

export async function openGateway(ctx: Ctx, { addresses }: z.infer<typeof openInput>): Promise<Answer> {
  const { Id, key } = await openConnection(ctx, { provider: gateway, addresses })
  return { data: { Id, key }, message: 'The gateway is connected' }
}

export async function closeGateway(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, ussdConnection, id)
  await closeConnection(ctx, id)
  return { data: {}, message: 'Connection closed' }
}
