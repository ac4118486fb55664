import { describe, expect, inject, it } from 'vitest'
import { signIn } from '../support/browser.ts'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'
import { takeShifts, watchShifts } from './support/shifts.ts'

const url = inject('outpostUrl')
const people = usePeople()
const path = '/admin/settings'

describe('the settings home', () => {
  it('is changed, saved and set back by keys alone, and says at each step whether it is saved', async () => {
    const person = await people.enter('admin@sunrise.test', path)
    const { page } = person
    const bar = page.locator('.set-bar')
    await expect.poll(() => bar.innerText()).toContain('Everything is saved.')
    await page.getByRole('searchbox', { name: 'Search settings' }).focus()
    await page.keyboard.type('assessment')
    await expect.poll(() => page.locator('.set-row:visible .set-words label').allInnerTexts()).toEqual(['Assessments hold for'])
    await page.keyboard.press('Enter')
    await page.keyboard.type('45')
    await expect.poll(() => bar.getAttribute('data-kind')).toBe('changed')
    await expectSound(person, 'settings with a change')
    await page.keyboard.press('Control+s')
    await expect.poll(() => bar.getAttribute('data-kind')).toBe('saved')
    const call = await callAs(url, 'admin@sunrise.test')
    const kept = async () =>
      (
        (await call('GET', '/api/tenants?size=100')).body.data as { tenants: { tenant_type: number; assessmentDays: number | null }[] }
      ).tenants.find((one) => one.tenant_type === 2)?.assessmentDays
    expect(await kept()).toBe(45)
    await page.getByRole('button', { name: 'Assessments hold for: back to the standard' }).press('Enter')
    await page.keyboard.press('Control+s')
    await expect.poll(kept).toBe(null)
    await expect.poll(() => page.locator('#set-assessmentDays').innerText()).toContain('Now: 90 days (the standard)')
  })

  it('are inherited by branches, marked where a branch chose its own, and say who changed them', async () => {
    const person = await people.enter('admin@sunrise.test', path)
    const { page } = person
    const row = page.locator('#set-consentCoolDownMinutes')
    await row.getByText('1 minutes, Outpost’s default').waitFor()
    await row.getByRole('spinbutton').fill('3')
    await page.keyboard.press('Control+s')
    await row.getByText('chosen here').waitFor()
    await page.getByRole('button', { name: 'Changes', exact: true }).click()
    await page.getByRole('dialog').getByText('inherited → 3 minutes').first().waitFor()
    // The company's own record is on the same screen, and in the same history: the test before changed it twice.
    await page.getByRole('dialog').getByText('45 days → 90 days').first().waitFor()
    await settle(person)
    await expectSound(person, 'changes of settings')
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Settings of' }).press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/tenant=/)
    await row.getByText('3 minutes, from').waitFor()
    expect(await page.locator('#set-passwordLength').count()).toBe(0)
    await settle(person)
    await expectSound(person, 'settings of a branch')
    await page.goto(path)
    await row.getByRole('button', { name: /back to the standard/ }).click()
    await page.keyboard.press('Control+s')
    await row.getByText('1 minutes, Outpost’s default').waitFor()
  })

  it('names what the server refuses at its setting, asks before changes are left behind, and discards them', async () => {
    const person = await people.enter('admin@sunrise.test', path)
    const { page } = person
    person.allow(/409/, 'the test enters what is refused')
    const bar = page.locator('.set-bar')
    await page.getByLabel('Address').fill('1 Kimathi Street')
    await page.getByLabel('Short code').fill('NBO')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(() => bar.getAttribute('data-kind')).toBe('failed')
    expect(await bar.innerText()).toContain('Not saved: A record with these values already exists.')
    expect(await page.locator('#set-shortCode').innerText()).toContain('Now: SUN')
    const away = page.locator('.o-side').getByRole('link', { name: 'Dashboard', exact: true })
    await away.click()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.locator('li').allInnerTexts()).toEqual(['Short code', 'Address'])
    await dialog.getByRole('button', { name: 'Stay here' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect.poll(() => bar.getAttribute('data-kind')).toBe('none')
    await away.click()
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  })

  it('leads to what has a screen of its own, does not shift, and fits a phone in the dark', async () => {
    const person = await people.meet({ scheme: 'dark', width: 360, height: 800 })
    await watchShifts(person.context)
    await signIn(person, 'admin@sunrise.test')
    const { page } = person
    await page.goto(path)
    await settle(person)
    expect(await takeShifts(page)).toBeNull()
    await expectSound(person, 'settings on a phone')
    await page.getByRole('searchbox', { name: 'Search settings' }).fill('words')
    await page.getByRole('link', { name: 'Open Words' }).click()
    await page.getByRole('heading', { level: 1, name: 'Words of the console' }).waitFor()
    // Back from there it is still what was searched for.
    await page.goBack()
    await expect.poll(() => page.getByRole('searchbox', { name: 'Search settings' }).inputValue()).toBe('words')
    await page.getByRole('link', { name: 'Open Words' }).waitFor()
  })
})
