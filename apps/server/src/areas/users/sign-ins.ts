import { getRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx, PanelDefinition } from '../../kernel/types.ts'
import { readSignIns } from '../auth/index.ts'
import { user } from './user.resource.ts'

/** When, how and from where a user in reach signed in or tried to. */
export async function userSignIns(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, user, id)
  return { data: { signIns: await readSignIns(ctx.sql, { companyId: ctx.company.id, userId: id }) } }
}

/** What can happen at the door of an account. */
export const signInOutcomes = [
  { value: 'login', label: 'Signed in', colour: 'green' },
  { value: 'refused', label: 'Refused', colour: 'red' },
  { value: 'logout', label: 'Signed out' },
  { value: 'impersonation', label: 'An administrator worked as this user', colour: 'gold' },
  { value: 'refresh-reuse', label: 'Stopped: a stolen key was used', colour: 'red' },
]

/** The same on the user's page. */
export const signInsPanel: PanelDefinition = {
  key: 'signIns',
  title: 'Sign-in history',
  route: 'users.signIns',
  value: 'signIns',
  fields: {
    dateCreated: { kind: 'dateTime', label: 'When' },
    outcome: {
      kind: 'choice',
      label: 'What',
      options: signInOutcomes,
    },
    way: {
      kind: 'choice',
      label: 'How',
      options: [
        { value: 'password', label: 'Password' },
        { value: 'second-factor', label: 'Second factor' },
        { value: 'code', label: 'One-time code' },
        { value: 'biometric', label: 'Fingerprint or face' },
        { value: 'passkey', label: 'Passkey' },
        { value: 'saml', label: 'SAML' },
      ],
    },
    device: { kind: 'text', label: 'Device' },
    isNewDevice: { kind: 'boolean', label: 'New device' },
    ip: { kind: 'text', label: 'Address' },
    place: { kind: 'text', label: 'Place' },
  },
  empty: { title: 'Nobody has signed in yet' },
}
