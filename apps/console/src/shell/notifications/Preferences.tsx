import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Checkbox } from 'antd'
import { call } from '../../data/calls.ts'
import { toast } from '../../feedback/toast.ts'
import { FormError } from '../form.tsx'

const queryKey = ['notificationPreferences'] as const
const readWishes = async () => (await call('notifications.preferences')).data.preferences
type Wish = Awaited<ReturnType<typeof readWishes>>[number]

/** Which kinds of news ring on the bell and which come by mail; each choice is kept at once. */
export function Preferences({ isOnline }: { isOnline: boolean }) {
  const queries = useQueryClient()
  const { data, error } = useQuery({ queryKey, enabled: isOnline, queryFn: readWishes })
  // One after the other: two choices on their way side by side could arrive the other way round.
  const { mutate: choose } = useMutation({
    scope: { id: queryKey[0] },
    onMutate: (wish: Wish) => {
      queries.setQueryData<Wish[]>(queryKey, (all = []) => all.map((one) => (one.kind === wish.kind ? wish : one)))
    },
    mutationFn: ({ kind, bell, mail }: Wish) => call('notifications.setPreference', { body: { kind, bell, mail } }),
    onError: async (cause) => {
      toast.danger({ title: 'Your choice was not kept', body: cause instanceof Error ? cause.message : undefined })
      await queries.invalidateQueries({ queryKey })
    },
  })
  return (
    <section className="o-card" aria-labelledby="news-preferences">
      <h2 id="news-preferences">What you are told</h2>
      <FormError error={error} />
      <table className="o-news-wishes">
        <thead>
          <tr>
            <th scope="col">News</th>
            <th scope="col">Bell</th>
            <th scope="col">E-mail</th>
          </tr>
        </thead>
        <tbody>
          {data?.map((wish) => {
            const { label, help } = wish
            return (
              <tr key={wish.kind}>
                <th scope="row">
                  {label}
                  <small>{help}</small>
                </th>
                <td>
                  <Checkbox
                    aria-label={`${label} on the bell`}
                    checked={wish.bell}
                    disabled={!isOnline}
                    onChange={({ target }) => choose({ ...wish, bell: target.checked })}
                  />
                </td>
                <td>
                  <Checkbox
                    aria-label={`${label} by e-mail`}
                    checked={wish.mail}
                    disabled={!isOnline}
                    onChange={({ target }) => choose({ ...wish, mail: target.checked })}
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p className="o-soft">What does not ring stands in the history all the same. News about your own account always rings.</p>
    </section>
  )
}
