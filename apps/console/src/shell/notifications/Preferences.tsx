import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Checkbox } from 'antd'
import { call } from '../../data/calls.ts'
import { toast } from '../../feedback/toast.ts'
import { FormError } from '../form.tsx'
import { t } from '../../session/labels.ts'

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
    mutationFn: ({ kind, bell, mail, push }: Wish) => call('notifications.setPreference', { body: { kind, bell, mail, push } }),
    onError: async (cause) => {
      toast.danger({ title: t('Your choice was not kept'), body: cause instanceof Error ? cause.message : undefined })
      await queries.invalidateQueries({ queryKey })
    },
  })
  return (
    <section className="o-card" aria-labelledby="news-preferences">
      <h2 id="news-preferences">{t('What you are told')}</h2>
      <FormError error={error} />
      <table className="o-news-wishes">
        <thead>
          <tr>
            <th scope="col">{t('News')}</th>
            <th scope="col">{t('Bell')}</th>
            <th scope="col">{t('E-mail')}</th>
            <th scope="col">{t('Push')}</th>
          </tr>
        </thead>
        <tbody>
          {data?.map((wish) => {
            const { label, help } = wish
            return (
              <tr key={wish.kind}>
                <th scope="row">
                  {t(label)}
                  <small>{t(help)}</small>
                </th>
                <td>
                  <Checkbox
                    aria-label={t('{{label}} on the bell', { label: t(label) })}
                    checked={wish.bell}
                    disabled={!isOnline}
                    onChange={({ target }) => choose({ ...wish, bell: target.checked })}
                  />
                </td>
                <td>
                  <Checkbox
                    aria-label={t('{{label}} by e-mail', { label: t(label) })}
                    checked={wish.mail}
                    disabled={!isOnline}
                    onChange={({ target }) => choose({ ...wish, mail: target.checked })}
                  />
                </td>
                <td>
                  <Checkbox
                    aria-label={t('{{label}} as a push message', { label: t(label) })}
                    checked={wish.push}
                    disabled={!isOnline}
                    onChange={({ target }) => choose({ ...wish, push: target.checked })}
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p className="o-soft">{t('What does not ring is in the history all the same. News about your own account always rings.')}</p>
    </section>
  )
}
