import { expect, inject, it } from 'vitest'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const { enter } = usePeople()

it('the demo is a living portfolio: some 600 loans a company, of which people who reach all of it see each', async () => {
  for (const company of ['sunrise', 'baobab']) {
    const call = await callAs(inject('outpostUrl'), `admin@${company}.test`)
    const { meta } = (await call('GET', '/api/loans?size=1')).body as { meta: { total: number } }
    expect([company, meta.total]).toEqual([company, expect.toSatisfy((count: number) => count >= 540 && count <= 660)])
  }
})

it('an administrator opens the loan accounts and a loan of the demo', async () => {
  const person = await enter('admin@sunrise.test', '/loans/accounts')
  const { page } = person
  await expectSound(person, 'loan accounts')
  await page
    .getByRole('link', { name: /^L-\d{6}$/ })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: /^L-\d{6}/ }).waitFor()
  await settle(person)
})
