import { randomBytes } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import { reachChanged } from '../../kernel/session/rights.ts'
import { countInCompany } from '../../kernel/quota.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { isRedirectAddress } from '../auth/index.ts'
import { readPermissions } from '../roles/index.ts'

type Row = ModelRow<'oauthClient'>
const maxClients = 50
export const maxRedirectUris = 10

/** Last look at a client: addresses that a person may be sent to, scopes that exist. Its id is drawn, so that none can be guessed or taken. */
export async function prepareOauthClient(ctx: Ctx, { kind, input }: PrepareWrite<Row>): Promise<Partial<Row>> {
  // Sessions that it opened hold what it may.
  reachChanged(ctx)
  if (kind === 'remove') return {}
  if (input.redirectUris) refuseAddresses(input.redirectUris)
  const scopes = input.scopes ? { scopes: readPermissions(input.scopes, 'scopes') } : {}
  if (kind === 'update') return scopes
  await refuseTooMany(ctx)
  return { ...scopes, clientId: `oc_${randomBytes(12).toString('hex')}` }
}

function refuseAddresses(addresses: readonly string[]): void {
  if (addresses.length === 0) fail('INVALID', { fields: [{ field: 'redirectUris', message: 'at least one is required' }] })
  const wrong = addresses.find((address) => !isRedirectAddress(address))
  if (wrong !== undefined)
    fail('INVALID', {
      fields: [
        {
          field: 'redirectUris',
          message: `${wrong.slice(0, 80)}: must begin with https://, or http:// on the same machine, without name or #`,
        },
      ],
    })
}

async function refuseTooMany(ctx: Ctx): Promise<void> {
  const count = await countInCompany(ctx, 'oauth_client')
  if (count >= maxClients) fail('QUOTA_REACHED', { message: `A company has ${maxClients} OAuth clients at most. Delete one first.` })
}
