/** Milliseconds after which a source without an answer counts as unavailable. */
const timeoutMs = 5_000
const known = new Map<string, Promise<boolean>>()

/** Whether a tile source returns the tile of the whole world; checked once per visit, and again after no answer. */
export function isTileSourceAvailable(url: string): Promise<boolean> {
  const asked = known.get(url)
  if (asked) return asked
  const answer = ask(url)
  known.set(url, answer)
  void answer.then((answers) => {
    if (!answers) known.delete(url)
  })
  return answer
}

function ask(url: string): Promise<boolean> {
  return new Promise((done) => {
    const image = new Image()
    const timer = setTimeout(() => done(false), timeoutMs)
    const end = (answers: boolean) => {
      clearTimeout(timer)
      done(answers)
    }
    image.onload = () => end(true)
    image.onerror = () => end(false)
    image.src = url.replace('{s}', 'a').replace('{r}', '').replace('{z}', '0').replace('{x}', '0').replace('{y}', '0')
  })
}
