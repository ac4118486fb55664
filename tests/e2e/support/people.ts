import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { launchBrowser } from '../../console/support/browser.ts'
import { openPerson, signInFor, type Person, type PersonOptions } from '../../support/browser.ts'
import { settle } from './look.ts'

type Options = Partial<PersonOptions>

export interface People {
  /** Someone at a browser of their own, not signed in. */
  meet(options?: Options): Promise<Person>
  /** The same, signed in, with a screen open and at rest. */
  enter(email: string, path: string, options?: Options): Promise<Person>
}

/** A browser for a file of tests. Persons leave after each test, and nothing may have gone wrong in front of them. */
export function usePeople(): People {
  const url = inject('outpostUrl')
  const present: Person[] = []
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser.close())
  afterEach(async () => {
    const persons = present.splice(0)
    for (const { context } of persons) await context.close()
    expect(persons.flatMap(({ faults }) => faults)).toEqual([])
  })
  const meet = async (options: Options = {}): Promise<Person> => {
    const person = await openPerson(browser, { url, ...options })
    present.push(person)
    return person
  }
  const enter = async (email: string, path: string, options: Options = {}): Promise<Person> => {
    const person = await meet({ width: 1440, height: 900, ...options })
    // The sign-in leads on to the screen first asked for: the console is loaded once.
    await signInFor(person, email, path)
    await settle(person)
    return person
  }
  return { meet, enter }
}
