import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { sendRefusal } from '../answers/replies.ts';

/** A text of a form. */
export const shortText = z.string().min(1).max(300);

/** A value of WebAuthn in base64url. Attestations have some kilobytes. */
const bytes = z
  .string()
  .max(20_000)
  .regex(/^[\w-]*$/);

/** The answer of a passkey to a sign-in. The library checks what the values say. */
export const passkeyAnswer = z
  .object({
    id: bytes,
    rawId: bytes,
    type: z.literal('public-key'),
    clientExtensionResults: z.object({}).default({}),
    response: z.object({
      authenticatorData: bytes,
      clientDataJSON: bytes,
      signature: bytes,
      userHandle: bytes.optional(),
    }),
  })
  .transform((answer): AuthenticationResponseJSON => {
    const { userHandle, ...response } = answer.response;
    return { ...answer, response: { ...response, ...(userHandle !== undefined && { userHandle }) } };
  });

/** The proof of a signed-in person: the present password, or the answer of a passkey. */
export const ownProof = z.object({
  password: z.string().max(1024).optional(),
  passkey: passkeyAnswer.optional(),
});

/** A new passkey. The library checks what the values say. */
export const newPasskey = z
  .object({
    id: bytes,
    rawId: bytes,
    type: z.literal('public-key'),
    clientExtensionResults: z.object({}).default({}),
    response: z.object({ attestationObject: bytes, clientDataJSON: bytes }),
  })
  .transform((answer): RegistrationResponseJSON => answer);

/** Refuses a body that no page of the dashboard sends. The message repeats no value. */
export const refuseBody = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendRefusal(request, reply, {
    status: 400,
    code: 'BAD_REQUEST',
    message: 'The body lacks a field, or a field is too long.',
  });
