import type { MadeTenant, MadeUser } from '../support/make.ts'
import { testApp, type SignedInClient, type TestApp } from '../support/app.ts'

/** A company with two branches and a team, people in them, and a stranger company, over the whole server. */
export interface World {
  app: TestApp
  company: MadeTenant
  branch: MadeTenant
  team: MadeTenant
  other: MadeTenant
  stranger: MadeTenant
  people: Record<'admin' | 'manager' | 'officer' | 'elsewhere' | 'foreign', MadeUser>
  as: Record<'admin' | 'manager' | 'officer' | 'elsewhere' | 'foreign', SignedInClient>
}

/** admin and foreign (of the stranger) administer their companies, manager leads a branch, officer works in its team, elsewhere in the other branch. */
export async function makeWorld(env: Record<string, string> = {}): Promise<World> {
  const app = await testApp({ env })
  const { make } = app
  const [company, stranger] = [await make.company({ name: 'Sunrise' }), await make.company({ name: 'Copper' })]
  const branch = await make.tenant({ company, name: 'Nairobi', location: 'Nairobi', lat: -1.28, lng: 36.8 })
  const [team, other] = [await make.tenant({ parent: branch, name: 'Westlands' }), await make.tenant({ company, name: 'Mombasa' })]
  const people = {
    admin: await make.user({ company, role: 'admin', firstName: 'Asha', lastName: 'Admin' }),
    manager: await make.user({ tenant: branch, role: 'branch', firstName: 'Baraka', lastName: 'Manager' }),
    officer: await make.user({ tenant: team, role: 'officer', firstName: 'Chidi', lastName: 'Officer' }),
    elsewhere: await make.user({ tenant: other, role: 'officer', firstName: 'Dalia', lastName: 'Elsewhere' }),
    foreign: await make.user({ company: stranger, role: 'admin', firstName: 'Esi', lastName: 'Foreign' }),
  }
  const entries = await Promise.all(Object.entries(people).map(async ([name, user]) => [name, await app.as(user)] as const))
  return { app, company, branch, team, other, stranger, people, as: Object.fromEntries(entries) as World['as'] }
}

/** Names of the wrong fields of an answer. */
export const fieldsOf = ({ body }: { body: { fields?: { field: string }[] } }): string[] =>
  (body.fields ?? []).map(({ field }) => field).toSorted()
