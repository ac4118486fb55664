import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'
import { closeConnection, openConnection } from '../../kernel/providers/connection.ts'
import { defineResource } from '../../kernel/resource/define.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { mpesa } from './payments/mpesa.ts'

/** A connection that a provider calls in by: of mobile money, or a USSD gateway. Its key is shown once. */
export const moneyConnection = defineResource({
  model: 'providerConnection',
  one: 'moneyConnection',
  many: 'moneyConnections',
  label: 'Provider connection',
  labelMany: 'Provider connections',
  title: 'provider',
  writtenBy: 'company',
  fields: {
    provider: { kind: 'text', label: 'Provider', readOnly: true },
    addresses: { kind: 'tags', label: 'May call from', readOnly: true },
    isOpen: { kind: 'boolean', label: 'Open', readOnly: true, sql: `t."revokedAt" is null` },
    dateCreated: { kind: 'dateTime', label: 'Opened', readOnly: true },
    revokedAt: { kind: 'dateTime', label: 'Closed', readOnly: true },
  },
  list: {
    columns: ['provider', 'addresses', 'isOpen', 'dateCreated', 'revokedAt'],
    sort: ['dateCreated', 'DESC'],
    size: 100,
    empty: {
      title: 'No provider is connected',
      body: 'Connect M-Pesa, and its callbacks become payments; or a USSD gateway, and clients reach you from any phone.',
    },
  },
  actions: [
    {
      route: 'moneyConnections.open',
      label: 'Connect M-Pesa',
      scope: 'page',
      form: {
        addresses: {
          kind: 'tags',
          label: 'Addresses it calls from',
          required: true,
          help: 'IP addresses or ranges such as 196.201.214.0/24, as M-Pesa gives them',
        },
      },
      reveals: {
        value: 'key',
        title: 'The key of the connection',
        body: 'Give M-Pesa /hooks/mpesa/confirmation/, /hooks/mpesa/validation/, /hooks/mpesa/payout-result/ and /hooks/mpesa/payout-timeout/ of this server, each with the key behind it. It is not shown again.',
      },
    },
    {
      route: 'ussd.openConnection',
      label: 'Connect a USSD gateway',
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
      route: 'moneyConnections.close',
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

/** Opens the doors of M-Pesa for a company. */
export async function openMpesa(ctx: Ctx, { addresses }: z.infer<typeof openInput>): Promise<Answer> {
  const { Id, key } = await openConnection(ctx, { provider: mpesa, addresses })
  return { data: { Id, key }, message: 'M-Pesa is connected' }
}

export async function closeMoney(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, moneyConnection, id)
  await closeConnection(ctx, id)
  return { data: {}, message: 'Connection closed' }
}
