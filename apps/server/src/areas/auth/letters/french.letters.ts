import type { Letters } from './letters.ts'
import { fullMoment } from './moment.ts'

export const french: Letters = {
  hello: (firstName) => `Bonjour ${firstName},`,
  reset: ['Réinitialisez votre mot de passe', 'Ouvrez ce lien dans l’heure pour choisir un nouveau mot de passe :'],
  verify: ['Confirmez votre adresse e-mail', 'Ouvrez ce lien dans les sept jours pour confirmer votre adresse e-mail :'],
  invite: ['Votre compte est prêt', 'Un compte a été créé pour vous. Ouvrez ce lien dans les sept jours pour choisir un mot de passe :'],
  ignore: 'Si vous n’avez rien demandé, ignorez ce message : rien ne change.',
  notices: {
    'factor-on': [
      'Votre second facteur est activé',
      'Désormais, un code de votre application d’authentification vous est demandé à la connexion.',
    ],
    'factor-off': ['Votre second facteur est désactivé', 'Désormais, votre mot de passe seul suffit à vous connecter.'],
    'factor-reset': [
      'Un administrateur a supprimé votre second facteur',
      'Configurez à nouveau votre application d’authentification, dans votre profil ou à la prochaine connexion.',
    ],
    'passkey-on': ['Vous avez une nouvelle clé d’accès', 'Désormais, elle vous connecte sans mot de passe.'],
    'passkey-off': ['Une de vos clés d’accès a été supprimée', 'Elle ne vous connecte plus.'],
    'passkeys-reset': [
      'Un administrateur a supprimé vos clés d’accès',
      'Connectez-vous avec votre mot de passe et créez-en de nouvelles dans votre profil.',
    ],
    'recovery-codes': ['Vous avez de nouveaux codes de récupération', 'Les codes de récupération que vous aviez ne sont plus valables.'],
    'recovery-used': [
      'Un code de récupération a servi à se connecter',
      'Chaque code de récupération ne sert qu’une fois. Créez-en de nouveaux dans votre profil quand il en reste peu.',
    ],
  },
  noticeWarning: 'Si ce n’était pas vous, changez tout de suite votre mot de passe et prévenez un administrateur.',
  newDevice: {
    subject: 'Connexion depuis un nouvel appareil',
    intro: 'Quelqu’un s’est connecté à votre compte depuis un appareil que vous n’aviez pas encore utilisé :',
    when: 'Quand : ',
    how: 'Comment : ',
    device: 'Appareil : ',
    address: 'Adresse : ',
    unknown: 'Inconnu',
    ways: {
      password: 'Avec le mot de passe',
      biometric: 'Avec une empreinte ou le visage',
      passkey: 'Avec une clé d’accès',
      code: 'Avec un code à usage unique',
      saml: 'Avec le compte de l’organisation (SAML)',
    },
    on: ' sur ',
    unknownBrowser: 'Navigateur inconnu',
    fine: 'Si c’était vous, il n’y a rien à faire.',
    ask: 'Si ce n’était pas vous, ouvrez ce lien dans les sept jours. Il met fin à toutes vos sessions, et vous choisissez un nouveau mot de passe :',
  },
  moment: fullMoment('fr'),
}
