# A verifier of the log of tips that shares nothing with the service: RFC 9162 (Merkle tree) and RFC 8032 (Ed25519), written
# from the standards with Python's standard library. Prints what it has verified; an assertion fails otherwise.
import base64, hashlib, json, sys, urllib.request

LOG = sys.argv[1] + '/v1/communities/log'


def get(path):
    request = urllib.request.Request(LOG + path, headers={'accept': 'application/json'})
    with urllib.request.urlopen(request) as response:
        return json.load(response)['whoLog'] if response.status == 200 else {}


def listed(value):
    return value if isinstance(value, list) else [value]


def hashes(path):
    return [base64.b64decode(one) for one in path.split()]


def sha256(data):
    return hashlib.sha256(data).digest()


def tree_hash(leaves):
    if len(leaves) == 0:
        return sha256(b'')
    if len(leaves) == 1:
        return sha256(b'\x00' + leaves[0])
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return sha256(b'\x01' + tree_hash(leaves[:split]) + tree_hash(leaves[split:]))


# RFC 9162, 2.1.3.2
def root_by_inclusion(leaf, index, size, path):
    fn, sn, r = index, size - 1, sha256(b'\x00' + leaf)
    for p in path:
        assert sn != 0
        if fn & 1 or fn == sn:
            r = sha256(b'\x01' + p + r)
            while not fn & 1 and fn != 0:
                fn, sn = fn >> 1, sn >> 1
        else:
            r = sha256(b'\x01' + r + p)
        fn, sn = fn >> 1, sn >> 1
    assert sn == 0
    return r


# RFC 9162, 2.1.4.2
def is_consistent(first, first_root, second, second_root, path):
    if first == second:
        return path == [] and first_root == second_root
    if first & (first - 1) == 0:
        path = [first_root] + path
    fn, sn = first - 1, second - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    fr = sr = path[0]
    for c in path[1:]:
        assert sn != 0
        if fn & 1 or fn == sn:
            fr, sr = sha256(b'\x01' + c + fr), sha256(b'\x01' + c + sr)
            while not fn & 1 and fn != 0:
                fn, sn = fn >> 1, sn >> 1
        else:
            sr = sha256(b'\x01' + sr + c)
        fn, sn = fn >> 1, sn >> 1
    return fr == first_root and sr == second_root and sn == 0


# RFC 8032, 5.1
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def recover_x(y, sign):
    x2 = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P != 0:
        x = x * pow(2, (P - 1) // 4, P) % P
    assert (x * x - x2) % P == 0
    return x if x & 1 == sign else P - x


def point(data):
    number = int.from_bytes(data, 'little')
    y = number & (2**255 - 1)
    return recover_x(y, number >> 255), y


def add(a, b):
    (x1, y1), (x2, y2) = a, b
    k = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + k, -1, P)
    y = (y1 * y2 + x1 * x2) * pow(1 - k, -1, P)
    return x % P, y % P


def multiply(number, a):
    result = (0, 1)
    while number > 0:
        if number & 1:
            result = add(result, a)
        a, number = add(a, a), number >> 1
    return result


def is_signed(public_key, message, signature):
    base = (recover_x(4 * pow(5, -1, P) % P, 0), 4 * pow(5, -1, P) % P)
    s = int.from_bytes(signature[32:], 'little')
    h = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), 'little') % L
    return s < L and multiply(s, base) == add(point(signature[:32]), multiply(h, point(public_key)))


checkpoint = get('')['checkpoint']
size, root = int(checkpoint['size']), base64.b64decode(checkpoint['root'])

leaves = []
while len(leaves) < size:
    entries = listed(get(f'/entries?start={len(leaves)}&count=7')['entry'])
    leaves += [entry['leaf'].encode() for entry in entries]
leaves = leaves[:size]
assert tree_hash(leaves) == root
print(f'root of {size} entries')

keys = {key['id']: base64.b64decode(key['publicKey']) for key in listed(get('/keys')['key'])}
public_key = keys[checkpoint['keyId']]
named = sha256(checkpoint['origin'].encode() + b'\n\x01' + public_key)
assert named.hex()[:8] == checkpoint['keyId']
message = ''.join(f'{checkpoint[name]}\n' for name in ('origin', 'size', 'root', 'time')).encode()
signature = base64.b64decode(checkpoint['signature'])
assert is_signed(public_key, message, signature)
assert not is_signed(public_key, message + b'x', signature)
print('signature')

tips = [leaf.split()[1].removeprefix(b'id=').decode() for leaf in leaves if leaf.startswith(b'tip ')]
for tip in tips:
    proof = get(f'/proofs/{tip}')
    proven = proof['checkpoint']
    for entry in listed(proof['entry']):
        index, leaf, path = int(entry['index']), entry['leaf'].encode(), hashes(entry['path'])
        assert leaf == leaves[index]
        assert root_by_inclusion(leaf, index, int(proven['size']), path) == base64.b64decode(proven['root'])
print(f'inclusion of {len(tips)} tips')

for first in range(1, size + 1):
    path = hashes(get(f'/consistency?first={first}&second={size}')['consistency']['path'])
    assert is_consistent(first, tree_hash(leaves[:first]), size, root, path)
print(f'consistency of {size} sizes')
