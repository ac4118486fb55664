/** Milliseconds after which a source that has given nothing is taken for silent. */
const patience = 5_000
const known = new Map<string, Promise<boolean>>()

/** Whether a tile source gives the tile of the whole world; asked once a visit, and again when it was silent. */
export function answersTiles(url: string): Promise<boolean> {
  const asked = known.get(url)
  if (asked) return asked
  const answer = ask(url)
  known.set(url, answer)
  void answer.then((answers) => { if (!answers) known.delete(url) })
  return answer
}

function ask(url: string): Promise<boolean> {
  return new Promise((done) => {
    const image = new Image()
    const timer = setTimeout(() => done(false), patience)
    const end = (answers: boolean) => {
      clearTimeout(timer)
      done(answers)
    }
    image.onload = () => end(true)
    image.onerror = () => end(false)
    image.src = url.replace('{s}', 'a').replace('{r}', '').replace('{z}', '0').replace('{x}', '0').replace('{y}', '0')
  })
}
