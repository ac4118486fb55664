import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Button, Descriptions } from 'antd'
import { useEffect, useState } from 'react'
import { call } from '../../data/calls.ts'
import { useSession } from '../../session/session.ts'
import { forgetBegun, readReturned, type Begun, type ReturnedProps } from '../factor/confirming.ts'
import { PictureCard } from './PictureCard.tsx'
import { PasskeysCard } from './PasskeysCard.tsx'
import { SecondFactorCard } from './SecondFactorCard.tsx'
import { Sessions } from './Sessions.tsx'
import { TrackingCard } from './TrackingCard.tsx'
import { LookCard } from './LookCard.tsx'
import { ToursCard } from './ToursCard.tsx'
import { DeviceCard } from './DeviceCard.tsx'
import { t } from '../../session/labels.ts'

/** Who the user is to the console, and where else they are signed in. */
export function ProfileScreen() {
  const { layout } = useSession()
  const own = useOwnContact(layout?.user.Id)
  const returnedTo = useReturned()
  if (!layout) return null
  const { user, company } = layout
  return (
    <>
      <div className="o-page-head">
        <h1>
          {user.firstName} {user.lastName}
        </h1>
        <LinkButton to="/profile/edit">{t('Edit profile')}</LinkButton>
      </div>
      <div className="o-cards">
        <PictureCard picture={user.picture} />
        <section className="o-card" aria-label={t('Details')}>
          <Descriptions
            column={{ xs: 1, md: 2 }}
            layout="vertical"
            colon={false}
            items={[
              { key: 'user', label: t('User name'), children: user.userName },
              { key: 'mail', label: t('E-mail'), children: user.emailAddress },
              { key: 'mobile', label: t('Mobile'), children: own?.mobile || t('none') },
              { key: 'jobTitle', label: t('Job title'), children: own?.jobTitle || t('none') },
              { key: 'company', label: t('Company'), children: company.name },
              { key: 'tenant', label: t('Tenant'), children: user.selectedTenant.name },
              { key: 'roles', label: t('Roles'), children: user.roles.map((role) => role.name).join(', ') || t('none') },
            ]}
          />
        </section>
        {!layout.impersonation && <LookCard preferences={user.preferences} />}
        {!layout.impersonation && <ToursCard layout={layout} />}
        {!layout.impersonation && <TrackingCard layout={layout} />}
        {layout.isFieldRole && !layout.impersonation && <DeviceCard userId={user.Id} />}
        {!layout.impersonation && <SecondFactorCard {...returnedTo('factor')} />}
        {!layout.impersonation && <SignInsCard />}
        {/* Last: they grow when their lists are there, and little is below them to be moved. */}
        {!layout.impersonation && <PasskeysCard layout={layout} {...returnedTo('passkeys')} />}
        {!layout.impersonation && <Sessions />}
      </div>
    </>
  )
}

/** What each card has of somebody who comes back from their identity provider. The address forgets it at once: it counts one time. */
function useReturned(): (card: Begun['card']) => ReturnedProps {
  const navigate = useNavigate()
  const [returned, setReturned] = useState(() => readReturned(location.search))
  useEffect(() => {
    if (location.search === '') return
    forgetBegun()
    void navigate({ to: '/profile', replace: true })
  }, [navigate])
  return (card) => ({ returned: returned?.card === card ? returned : null, forgetReturned: () => setReturned(null) })
}

/** The person's own mobile number and job title, which the layout does not hold. */
function useOwnContact(id: string | undefined): { mobile?: string | null; jobTitle?: string | null } | undefined {
  return useQuery({
    queryKey: ['profile', id],
    enabled: id !== undefined,
    staleTime: 0,
    queryFn: async () =>
      (await call('users.me', { params: { id: id ?? '' } })).data.user as { mobile?: string | null; jobTitle?: string | null },
  }).data
}

function SignInsCard() {
  return (
    <section className="o-card" aria-label={t('Sign-in history')}>
      <h2>{t('Sign-in history')}</h2>
      <p>{t('When, how and from where somebody signed in to your account, or tried to. Of a new device a mail tells you.')}</p>
      <LinkButton to="/profile/sign-ins">{t('Show sign-in history')}</LinkButton>
    </section>
  )
}

/** A button that is an address: it opens in a new tab too. */
function LinkButton({ to, children }: { to: '/profile/edit' | '/profile/sign-ins'; children: string }) {
  const navigate = useNavigate()
  return (
    <Button
      href={to}
      onClick={(event) => {
        event.preventDefault()
        void navigate({ to })
      }}
    >
      {children}
    </Button>
  )
}
