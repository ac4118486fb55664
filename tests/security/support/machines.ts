import { permissionHierarchies } from '@outpost/contract/permissions'
import { forPeopleOnly } from '../../../apps/server/src/areas/api-users/api-user.rules.ts'
import { metadataXml } from '../../support/identity-provider.ts'
import { samlSignIn } from '../../support/saml-sign-in.ts'
import type { Outsider } from './attackers.ts'
import { targetB, targetSibling, type Attack } from './probe.ts'
import { clientOf, companyMark, siblingMark, userOf, type AnyClient, type SecurityWorld } from './world.ts'

/** All that an API user may hold: people alone manage people, roles, keys and addresses. */
const allRights = permissionHierarchies.filter((one) => !forPeopleOnly.test(one))

interface Key {
  userId: string
  keyId: string
  client: AnyClient
}

/** An API user of company A with a key, made as its administrators make one. */
async function keyOf(world: SecurityWorld, tenantId: string): Promise<Key> {
  const admin = await clientOf(world, world.a, 'admin')
  const user = await admin.post<{ apiUser: { Id: string } }>('/api/api-users', {
    firstName: 'System',
    tenants: [tenantId],
    permissions: allRights,
  })
  if (user.status !== 200) throw new Error(`an API user: ${user.text}`)
  const userId = user.body.data.apiUser.Id
  const key = await admin.post<{ Id: string; key: string }>(`/api/api-users/${userId}/keys`, { name: 'Server' })
  if (key.status !== 200) throw new Error(`a key: ${key.text}`)
  return { userId, keyId: key.body.data.Id, client: world.app.client({ authorization: `Bearer ${key.body.data.key}` }) }
}

/** Keys that open nothing: revoked, run out, of an API user that was deleted. */
export async function closedKeys(world: SecurityWorld): Promise<Outsider[]> {
  const admin = await clientOf(world, world.a, 'admin')
  const make = () => keyOf(world, world.a.company.id)
  const [revoked, over, deleted] = [await make(), await make(), await make()]
  await admin.post(`/api/api-keys/${revoked.keyId}/revoke`, {})
  await world.app.database.admin.query(`update api_key set "expiresAt" = now() - interval '1 minute' where id = $1`, [over.keyId])
  await admin.post('/api/api-users/delete', { ids: [deleted.userId] })
  return [
    { name: 'a revoked key', client: revoked.client },
    { name: 'a key that ran out', client: over.client },
    { name: 'a key of a deleted API user', client: deleted.client },
  ]
}

/** Somebody of company A who comes by its identity provider. */
export async function samlPerson(world: SecurityWorld, role: string): Promise<AnyClient> {
  const admin = await clientOf(world, world.a, 'admin')
  const { body, text } = await admin.post<{ samlProvider: { key: string } }>('/api/saml-providers', {
    name: `Sign-on of ${role}`,
    metadata: metadataXml({ entityId: `https://idp.test/${role}` }),
  })
  if (!body.data?.samlProvider) throw new Error(`a provider: ${text}`)
  const { emailAddress } = userOf(world.a, role)
  return samlSignIn(world.app, body.data.samlProvider.key, {
    issuer: `https://idp.test/${role}`,
    nameId: `n-${emailAddress}`,
    attributes: { email: [emailAddress] },
  })
}

/** A key without a right, one from an address that is not on its list, and somebody without rights who came by SAML. */
export async function withoutRights(world: SecurityWorld): Promise<Outsider[]> {
  const admin = await clientOf(world, world.a, 'admin')
  const [powerless, away] = [await keyOf(world, world.a.branch.id), await keyOf(world, world.a.branch.id)]
  await world.app.database.admin.query('delete from user_permission where "userId" = $1', [powerless.userId])
  const list = { name: 'Elsewhere', range: '203.0.113.0/24', appliesTo: 'user', userId: away.userId, mayLockOut: true }
  const { status, text } = await admin.post('/api/ip-addresses', list)
  if (status !== 200) throw new Error(`a list of addresses: ${text}`)
  return [
    { name: 'a key without rights', client: powerless.client },
    { name: 'a key from an address that is not on its list', client: away.client },
    { name: 'by SAML, without rights', client: await samlPerson(world, 'nobody') },
  ]
}

/** The attacks of insiders by systems with all rights, and by people who came by SAML. */
export async function machineAttacks(world: SecurityWorld): Promise<Attack[]> {
  const { a } = world
  const [whole, branch] = [await keyOf(world, a.company.id), await keyOf(world, a.branch.id)]
  const company = { target: targetB(world), mark: companyMark }
  const sibling = { target: targetSibling(world), mark: siblingMark }
  const asTenant = { 'x-tenant-id': world.b.company.id }
  return [
    { ...company, probe: 'an API user, another company', client: whole.client },
    { ...sibling, probe: 'an API user, another branch', client: branch.client },
    { ...company, probe: 'an API user, other company’s tenant', client: whole.client, headers: asTenant },
    { ...company, probe: 'by SAML, another company', client: await samlPerson(world, 'admin') },
    { ...sibling, probe: 'by SAML, another branch', client: await samlPerson(world, 'branch') },
  ]
}
