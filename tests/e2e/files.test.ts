import { describe, expect, inject, it } from 'vitest'
import { pdf } from '../support/form.ts'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const { enter } = usePeople()

/** A lead of the officer's own, on whose page the tab of files is open. */
async function openFiles(size: { scheme?: 'light' | 'dark'; width?: number; height?: number } = {}) {
  const call = await callAs(url, 'officer@sunrise.test')
  const { body } = await call('POST', '/api/leads', {
    firstName: 'Papers',
    lastName: 'Kept',
    phonenumber: `07${String(Date.now()).slice(-8)}`,
  })
  const { Id } = (body as { data: { lead: { Id: string } } }).data.lead
  const person = await enter('officer@sunrise.test', `/sales/leads/${Id}/view?tab=files`, size)
  await person.page.getByText('No files yet').waitFor()
  return { person, page: person.page, Id, call, input: person.page.locator('.panel-upload input[type=file]') }
}

describe('files of a lead', () => {
  it('are added, downloaded and removed on its page, and its history says so', async () => {
    const { person, page, input } = await openFiles()
    await input.setInputFiles([
      { name: 'payslip.pdf', mimeType: 'application/pdf', buffer: pdf },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Paid on time') },
    ])
    await page.getByRole('row', { name: /payslip.pdf/ }).waitFor()
    await page.getByRole('row', { name: /notes.txt/ }).waitFor()
    await page.getByText('File added').first().waitFor()
    await settle(person)
    await expectSound(person, 'files')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'notes.txt', exact: true }).click(),
    ])
    expect(download.suggestedFilename()).toBe('notes.txt')
    await page
      .getByRole('row', { name: /notes.txt/ })
      .getByRole('button', { name: /Actions for/ })
      .click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('File removed').first().waitFor()
    await page.getByRole('row', { name: /notes.txt/ }).waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /payslip.pdf/ }).waitFor()
  })

  it('show how far they are, and are stopped on the way', async () => {
    const { page, input, Id, call } = await openFiles()
    // The network takes nothing for the moment.
    await page.route('**/api/leads/*/files', (route) => (route.request().method() === 'POST' ? undefined : route.continue()))
    await input.setInputFiles({ name: 'slow.pdf', mimeType: 'application/pdf', buffer: pdf })
    await page.getByRole('progressbar', { name: 'Sending slow.pdf' }).waitFor()
    await page.getByRole('button', { name: 'Cancel slow.pdf' }).click()
    await page.getByRole('list', { name: 'Files on their way' }).waitFor({ state: 'detached' })
    expect(((await call('GET', `/api/leads/${Id}/files`)).body as { data: { files: object[] } }).data.files).toEqual([])
  })

  it('say why one is refused, at the width of a phone', async () => {
    const { person, page, input } = await openFiles({ scheme: 'dark', width: 360, height: 800 })
    person.allow(/415/, 'a page that says it is a document is refused')
    await input.setInputFiles({ name: 'trick.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<html>') })
    await page.getByRole('alert').filter({ hasText: 'This type of content is not accepted.' }).waitFor()
    await settle(person)
    await expectSound(person, 'refused')
    await page.getByRole('button', { name: 'Close trick.pdf' }).click()
    await page.getByRole('list', { name: 'Files on their way' }).waitFor({ state: 'detached' })
  })
})
