import { fail } from '@outpost/contract/errors'
import { identifierSchema, numberOr } from '@outpost/contract/input'
import { z } from 'zod'
import { closeConnection, openConnection, rotateSecret, standardSecret } from '../../kernel/providers/connection.ts'
import { defineResource } from '../../kernel/resource/define.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { session } from '../../kernel/session/services.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { mpesa } from './payments/mpesa.ts'
import { signedMoney } from './payments/signed.ts'

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
    name: { kind: 'text', label: 'Called', readOnly: true },
    addresses: { kind: 'tags', label: 'May call from', readOnly: true },
    formerUntil: { kind: 'dateTime', label: 'Former secret counts until', readOnly: true },
    isOpen: { kind: 'boolean', label: 'Open', readOnly: true, sql: `t."revokedAt" is null` },
    isSigning: {
      kind: 'boolean',
      label: 'Signs',
      readOnly: true,
      isTechnical: true,
      sql: `t."revokedAt" is null and t."provider" = '${signedMoney}'`,
    },
    dateCreated: { kind: 'dateTime', label: 'Opened', readOnly: true },
    revokedAt: { kind: 'dateTime', label: 'Closed', readOnly: true },
  },
  list: {
    columns: ['provider', 'name', 'addresses', 'isOpen', 'formerUntil', 'dateCreated', 'revokedAt'],
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
      route: 'moneyConnections.openSigned',
      label: 'Connect another provider',
      scope: 'page',
      form: {
        name: {
          kind: 'text',
          label: 'What it is called',
          required: true,
          maxLength: 30,
          help: 'Small letters, digits and -, as airtel-money. Its payments are kept under this name.',
        },
        addresses: {
          kind: 'tags',
          label: 'Addresses it calls from',
          help: 'IP addresses or ranges; left empty: any, its signature is the proof',
        },
      },
      reveals: {
        value: 'connection',
        title: 'Address and secret of the connection',
        body: 'The provider posts payments and what became of payouts to this address and signs them with this secret (Standard Webhooks). They are not shown again.',
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
      route: 'moneyConnections.rotate',
      label: 'New secret',
      scope: 'row',
      visibleIf: { eq: ['isSigning', true] },
      form: {
        hours: {
          kind: 'number',
          label: 'Hours for which the former one counts too',
          required: true,
          min: 0,
          max: 168,
          defaultValue: 24,
        },
      },
      reveals: {
        value: 'secret',
        title: 'The new secret',
        body: 'Give it to the provider within the hours you chose. It is not shown again.',
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

/** Names under which the program keeps payments itself. */
const ownNames = ['manual', 'bank', 'topup', mpesa, signedMoney]
export const openSignedInput = z.strictObject({
  name: z
    .string()
    .trim()
    .regex(/^[a-z0-9][a-z0-9-]{1,29}$/, 'must be small letters, digits and -')
    .refine((name) => !ownNames.includes(name), 'is a name of the program'),
  addresses: z
    .array(range)
    .max(50)
    .nullish()
    .transform((given) => given ?? []),
})
export const openSignedAnswer = z.strictObject({ Id: identifierSchema, key: z.string(), secret: z.string(), connection: z.string() })

/** Opens the door of signed messages to a provider. */
export async function openSigned(ctx: Ctx, { name, addresses }: z.infer<typeof openSignedInput>): Promise<Answer> {
  const { Id, key, secret: own } = await openConnection(ctx, { provider: signedMoney, name, addresses })
  const secret = standardSecret(own)
  const connection = `${new URL(`/hooks/money/${key}`, session().publicUrl).href} ${secret}`
  return { data: { Id, key, secret, connection }, message: `${name} is connected` }
}

export const rotateInput = z.strictObject({ id: idSchema, hours: numberOr(z.int().min(0).max(168), 24) })
export const rotateAnswer = z.strictObject({ secret: z.string() })

/** Gives a provider that signs another secret; for some hours both count. */
export async function rotate(ctx: Ctx, { id, hours }: z.infer<typeof rotateInput>): Promise<Answer> {
  const { provider } = await getRecord(ctx, moneyConnection, id)
  if (provider !== signedMoney) fail('CONFLICT', { message: 'This provider signs nothing: there is no secret to change.' })
  const { secret } = await rotateSecret(ctx, id, hours)
  return { data: { secret: standardSecret(secret) }, message: 'The new secret counts from now on' }
}

export async function closeMoney(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, moneyConnection, id)
  await closeConnection(ctx, id)
  return { data: {}, message: 'Connection closed' }
}
