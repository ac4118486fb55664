import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SignedInClient } from '../../support/app.ts'
import { makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

interface Panel {
  title: string
}
const tabsOf = async (by: Pick<SignedInClient, 'get'>) => {
  const answer = await by.get<{ view: { panels: Panel[]; timeline?: object } }>('/api/console/screens/clients-id-view')
  expect(answer.status, answer.text).toBe(200)
  const { panels, timeline } = answer.body.data.view
  return [...panels.map(({ title }) => title), ...(timeline ? ['History'] : [])].toSorted()
}

it('the page of a client has a tab of each area that knows clients', async () => {
  expect(await tabsOf(world.as.admin)).toEqual([
    'Activities',
    'Applications',
    'Assessments',
    'Cases',
    'Complaints',
    'Consent',
    'Duplicates',
    'Files',
    'Filled forms',
    'Groups',
    'History',
    'Loans',
    'Merged',
    'Messages',
    'Payments',
    'Tasks',
    'Ties',
    'Transfers',
    'USSD requests',
    'USSD sessions',
    'Vehicles',
  ])
})

it('shows whoever may see clients alone no tab of what they may not read', async () => {
  const reader = await world.app.as(await world.app.make.user({ tenant: world.team, roles: [], permissions: ['CLIENTS'] }))
  expect(await tabsOf(reader)).toEqual([
    'Assessments',
    'Complaints',
    'Consent',
    'Duplicates',
    'Files',
    'Filled forms',
    'History',
    'Loans',
    'Merged',
    'Messages',
    'Payments',
    'Ties',
    'Transfers',
    'USSD requests',
  ])
})

it('assesses a client with the calculator of their type, where the reader has it', async () => {
  const offered = async (by: Pick<SignedInClient, 'get'>) =>
    (await by.get<{ view: { actions: { key: string }[] } }>('/api/console/screens/clients-id-view')).body.data.view.actions
      .map(({ key }) => key)
      .filter((key) => key.startsWith('assess.'))
  expect(await offered(world.as.admin)).toEqual(['assess.cs-affordability', 'assess.lbf-affordability', 'assess.sme-affordability'])
  const permissions = ['CLIENTS', 'SALES/AFFORDABILITY/LBF']
  const reader = await world.app.as(await world.app.make.user({ tenant: world.team, roles: [], permissions }))
  expect(await offered(reader)).toEqual(['assess.lbf-affordability'])
})
