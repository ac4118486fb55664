import { median, rounded, rounds, spread, type Bench } from './support/figure.ts'

const words = 40

/** Contains-search over a million leads of one company, each time another word of which a handful of rows speak. */
export const bench: Bench = {
  name: 'search',
  leads: 1_000_000,
  run: async (house) => {
    const headers = await house.signIn('md@sunrise.test')
    const { rows } = await house.admin.query<{ word: string }>(
      `select split_part("emailAddress", '@', 1) as word from lead where "emailAddress" like '%@mail.test' and length("emailAddress") > 40 limit ${words * rounds}`,
    )
    const medians: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const times: number[] = []
      for (const { word } of rows.slice(round * words, (round + 1) * words)) {
        const { status, text, ms } = await house.call({ path: `/api/leads?size=25&search=${word.slice(8, 16)}`, headers })
        if (status !== 200 || !text.includes(word)) throw new Error(`search for ${word}: ${status} ${text.slice(0, 200)}`)
        times.push(ms)
      }
      medians.push(median(times))
    }
    return [
      {
        name: 'contains-search in 1,000,000 rows, p50',
        value: rounded(median(medians)),
        unit: 'ms',
        target: '<= 10',
        detail: `${spread(medians, ' ms')} in ${rounds} rounds of ${words} words never asked before, through HTTP`,
      },
    ]
  },
}
