import { describe, expect, inject, it } from 'vitest'
import { signIn } from '../support/browser.ts'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'
import { everyLead } from './support/paths.ts'

const url = inject('outpostUrl')
const { meet } = usePeople()

interface Lead {
  Id: string
  city: string | null
  version: number
}

describe('a lead in the list', () => {
  it('gets its town in the cell, and shows whose change is whose when somebody else was quicker', async () => {
    const call = await callAs(url, 'branch@sunrise.test')
    const leadOf = async (id: string) => ((await call('GET', `/api/leads/${id}`)).body.data as { lead: Lead }).lead
    const person = await meet({ scheme: 'light', width: 1600, height: 900 })
    const { page } = person
    await signIn(person, 'branch@sunrise.test')
    await page.goto(`${everyLead}&sort=lastName,-dateCreated`)
    await settle(person)
    const row = page.locator('.record-table .ant-table-row').first()
    await row.waitFor()
    const id = (await row.getAttribute('data-row-key')) ?? ''
    const column = (await page.getByRole('columnheader').allInnerTexts()).findIndex((title) => title.trim() === 'Town')
    const cell = row.getByRole('gridcell').nth(column)
    await cell.scrollIntoViewIfNeeded()
    await cell.dblclick()
    const input = page.getByRole('textbox', { name: /^Town, / })
    await input.fill('Naivasha')
    await expectSound(person, 'a cell open')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await leadOf(id)).city).toBe('Naivasha')
    await cell.getByText('Naivasha').waitFor()

    await cell.dblclick()
    await input.fill('Nanyuki')
    // A script saves while the cell is open; the row on the screen is older.
    const { version } = await leadOf(id)
    expect((await call('PUT', `/api/leads/${id}`, { city: 'Nyeri', version })).status).toBe(200)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this record meanwhile' })
    const answer = dialog
      .getByText('Nyeri')
      .waitFor()
      .then(() => 'asked')
    // The live update may have brought the newer row before: then there is nothing to ask.
    const saved = expect
      .poll(async () => (await leadOf(id)).city)
      .toBe('Nanyuki')
      .then(() => 'saved')
    if ((await Promise.race([answer, saved.catch(() => answer)])) === 'asked') {
      // The refusal of an outdated save is part of the play.
      expect(person.faults.splice(0).filter((fault) => !fault.includes('409'))).toEqual([])
      await expectSound(person, 'the question')
      await dialog.getByRole('button', { name: 'Save this choice' }).click()
    }
    await expect.poll(async () => (await leadOf(id)).city).toBe('Nanyuki')
  })
})
