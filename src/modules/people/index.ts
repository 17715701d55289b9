export type { Browser } from './enter.ts';
export { invitePerson, renewInvitation, type Invited } from './invite.ts';
export { joinWithPassword, openInvitation, type Invitation } from './join.ts';
export { findLocalPerson, listPeople } from './list.ts';
export { joinWithPasskey, offerPasskey, offerPasskeySignIn, signInWithPasskey } from './passkeys.ts';
export type { Person } from './person.ts';
export { signInWithPassword } from './sign-in.ts';
export { updatePerson } from './update.ts';
export {
  beginAtProvider,
  hasProvider,
  returnFromProvider,
  type OidcRefusal,
  type ProviderVisit,
} from './provider/oidc.ts';
export { readOwnAccount, type OwnAccount, type Self } from './own/account.ts';
export type { OwnRequest } from './own/change.ts';
export { addOwnPasskey, nameOwnPasskey, offerOwnPasskey, removeOwnPasskey } from './own/passkeys.ts';
export { changeOwnPassword, offerCodes, renewOwnCodes } from './own/password.ts';
export { offerProof, type Proof } from './own/prove.ts';
