"""The documents of the PDF tests, in the notation of this file: ``#`` headings, ``-`` and ``1.`` items, else \
paragraphs.

They are rules of a made-up game about a harbour, with what makes rulebooks hard: long and short paragraphs, steps \
with
conditions below them, compounds with hyphens, numbers, and headings of three levels.
"""

from __future__ import annotations

import re

from pdfs import Part

ENGLISH = """
# Harbour Lights
Harbour Lights is a game for 2-4 players about the keepers of a small harbour. Every player runs a fleet of fishing \
boats, and every night the fleet needs a light to find its way home. The player who has brought home the most fish \
when the last lantern is lit wins the game.
A two-player game uses the small harbour on the back of the board. Everything else in these rules applies to any \
number of players unless a paragraph says otherwise.
## Components
- 1 harbour board with a day side and a night side
- 24 boats in four colours
- 60 fish tokens, of which 12 are silver and count as two fish whenever fish are counted
- 4 lantern cards
## Setup
Place the board in the middle of the table with its day side up. Shuffle the tide cards and put them face down \
beside the board, then prepare the harbour as follows.
1. Give each player the boats of one colour and a lantern card.
2. Put one fish token on every open-water space. In a two-player game leave the four spaces at the edge of the \
board empty, because nobody could reach them in time.
3. Choose a first player. Going round the table to the left, everybody places one boat:
- on an empty space of the quay;
- or, if the quay is full, on any empty space of the open water that does not touch a boat of another player.
4. Take five tide cards each.
## How a round works
### The day
During the day the players take turns, beginning with the first player. On your turn you may play one tide card and \
then move one of your boats up to as many spaces as the card shows. You may never move through a space in which \
another player has two or more boats.
If you cannot or do not want to play a card, discard one instead. You may then re-roll the wind die, and you must \
take the new result even if you like the old one better.
### The night
When every player has passed, night falls. Each boat that stands on a space with a fish token takes that token. \
Boats of several players on one space share: the player whose lantern is nearest takes the first token, and then \
the others follow in order of distance.
Should two lanterns be equally near, the player who passed first chooses.
# Scoring
At the end of the fourth night the game ends. Count your fish as described in the following sections, and add the \
points of your lantern card.
## Fish
Every fish is worth 1 point. A silver fish counts as two fish, and so it is worth 2 points, but it never counts as \
two tokens when a rule speaks of tokens.
## Lanterns
Your lantern card tells you how many of your boats must lie in its light. For every boat that does you score 3 \
points; for every boat of yours that is still on the open water after the last night you lose 1 point.
### Movement of lanterns
A lantern may be moved only by the player who owns it. Movement is free as long as no storm is in play, and it \
costs one fish token per space in a storm. You cannot pay with silver fish.
## Ties
If several players are tied, the tied player with more boats on the quay wins. If that is a tie as well, all of \
them share the victory, have a cup of tea, and agree never to mention the matter again.
# Variants
These variants can be combined freely. Agree on them before the game begins.
## Fog
Turn over the top card of the tide deck at the beginning of each day. While fog is on the water, no boat may move \
more than 2 spaces. Fog lifts at night, and the card is discarded.
## Long summer
Play six rounds instead of four. With 3-4 players remove six tide cards from the deck at random, unseen, before the \
first day; the deck must not run out.
"""

SPANISH = """
# Luces del puerto
Luces del puerto es un juego para 2-4 jugadores sobre los fareros de un pequeño puerto. Cada jugador dirige una \
flota de barcas de pesca, y cada noche la flota necesita una luz para encontrar el camino a casa. Gana quien haya \
llevado más pescado a casa cuando se encienda el último farol.
¿Sois dos? Entonces usad el puerto pequeño del reverso del tablero. Todo lo demás vale para cualquier número de \
jugadores, salvo que un párrafo diga lo contrario.
## Componentes
- 1 tablero del puerto con un lado de día y otro de noche
- 24 barcas de cuatro colores
- 60 fichas de pescado, de las cuales 12 son plateadas y cuentan como dos pescados siempre que se cuenten pescados
- 4 cartas de farol
## Preparación
Poned el tablero en el centro de la mesa con el lado de día hacia arriba. Barajad las cartas de marea, dejadlas \
boca abajo junto al tablero y preparad el puerto de la siguiente manera.
1. Dad a cada jugador las barcas de un color y una carta de farol.
2. Poned una ficha de pescado en cada casilla de mar abierto. Con dos jugadores se dejan vacías las cuatro casillas \
del borde, porque nadie llegaría a ellas a tiempo.
3. Elegid al jugador inicial. Por turnos, hacia la izquierda, cada cual coloca una barca:
- en una casilla vacía del muelle;
- o, si el muelle está lleno, en cualquier casilla vacía de mar abierto que no toque una barca de otro jugador.
4. Robad cinco cartas de marea cada uno.
## Cómo transcurre una ronda
### El día
Durante el día los jugadores actúan por turnos, empezando por el jugador inicial. En tu turno puedes jugar una \
carta de marea y después mover una de tus barcas tantas casillas como indique la carta. Nunca puedes atravesar una \
casilla en la que otro jugador tenga dos o más barcas.
Si no puedes o no quieres jugar una carta, descarta una. A continuación puedes volver a lanzar el dado de viento, y \
debes aceptar el nuevo resultado aunque te gustara más el anterior.
### La noche
Cuando todos han pasado, cae la noche. Cada barca que esté en una casilla con una ficha de pescado se lleva esa \
ficha. Si hay barcas de varios jugadores en la misma casilla, reparten: quien tenga el farol más cercano toma la \
primera ficha, y después siguen los demás por orden de distancia.
Si dos faroles están igual de cerca, elige quien haya pasado primero.
# Puntuación
La partida termina al final de la cuarta noche. Contad los pescados según las secciones siguientes y sumad los \
puntos de vuestra carta de farol.
## Pescado
Cada pescado vale 1 punto. Un pescado plateado cuenta como dos pescados, así que vale 2 puntos, pero nunca cuenta \
como dos fichas cuando una regla habla de fichas.
## Faroles
Tu carta de farol dice cuántas de tus barcas deben quedar dentro de su luz. Por cada barca que lo cumpla ganas 3 \
puntos; por cada barca tuya que siga en mar abierto después de la última noche pierdes 1 punto.
### Movimiento de los faroles
Solo puede mover un farol el jugador a quien pertenece. El movimiento es gratuito mientras no haya tormenta, y con \
tormenta cuesta una ficha de pescado por casilla. No se puede pagar con pescado plateado.
## Empates
Si hay empate gana, de entre los empatados, quien tenga más barcas en el muelle. Si también en eso empatan, \
comparten la victoria, se toman un té y acuerdan no volver a hablar del asunto.
"""

CHINESE = """
# 港口灯火
《港口灯火》是一款适合2至4名玩家的游戏，玩家扮演小港口的守灯人。每位玩家管理一支渔船队，每天夜里船队都需要灯光指引回家的路。最后一盏灯点亮时，带回渔获最多的玩家获胜。
两人游戏使用版图背面的小港口。除非另有说明，本规则的其他内容适用于任何人数。
## 配件
- 1块港口版图，分为白天面和夜晚面
- 四种颜色的渔船共24艘
- 60枚鱼标记，其中12枚是银色的，凡是计算鱼的数量时，每枚银色标记都算作两条鱼
- 4张灯卡
## 设置
把版图放在桌子中央，白天面朝上。洗混潮汐牌，面朝下放在版图旁边，然后按照以下步骤布置港口。
1. 每位玩家拿取一种颜色的渔船和一张灯卡。
2. 在每个外海格子上放一枚鱼标记。两人游戏时，版图边缘的四个格子留空，因为没有人能及时到达那里。
3. 选出起始玩家。从起始玩家开始按顺时针方向，每人放置一艘渔船：
- 放在码头的空格上；
- 如果码头已满，就放在外海的任意空格上，但不能与其他玩家的渔船相邻。
4. 每人抽五张潮汐牌。
## 一轮的流程
### 白天
白天由起始玩家开始，玩家轮流行动。轮到你时，你可以打出一张潮汐牌，然后移动你的一艘渔船，最多移动牌上所示的格数。如果某个格子里有另一位玩家的两艘或更多渔船，你就不能穿过这个格子。
如果你不能或者不想打牌，就弃掉一张牌。之后你可以重掷风向骰，但是必须接受新的结果，即使原来的结果更好也不例外。
### 夜晚
所有玩家都跳过以后，夜晚降临。位于有鱼标记的格子上的每艘渔船拿走该标记。如果同一格子上有多位玩家的渔船，就要分配：灯最近的玩家拿第一枚标记，其余玩家按距离远近依次拿取。
如果两盏灯距离相同，由先跳过的玩家决定。
# 计分
第四个夜晚结束时游戏结束。按照以下各节计算你的鱼，再加上灯卡的分数。
## 鱼
每条鱼值1分。银色的鱼算作两条鱼，因此值2分，但是规则提到标记时，它只算一枚标记。
## 灯
灯卡会告诉你有多少艘渔船必须停在它的光照范围内。每有一艘这样的渔船，你得3分；最后一个夜晚之后，你每有一艘渔船仍在外海，就扣1分。
## 平手
如果有多位玩家平手，其中在码头上渔船较多的玩家获胜。如果仍然平手，他们共享胜利，一起喝杯茶，并约定以后再也不提这件事。
"""

_ITEM = re.compile(r"(-|\d+\.) (.*)")


def story(text: str) -> list[Part]:
    """The parts of a document in this file's notation; bullets below a numbered step are one level deeper.

    >>> story("# A\\nb.\\n1. c\\n- d")[-1]
    Part(kind='item', text='d', level=2, marker='-')
    """
    parts: list[Part] = []
    numbered = False
    for line in text.strip().splitlines():
        marks = len(line) - len(line.lstrip("#"))
        if marks:
            parts.append(Part("heading", line[marks:].strip(), marks))
        elif line.startswith("|"):
            parts.append(Part("row", line))
        elif item := _ITEM.match(line):
            level = 2 if item[1] == "-" and numbered else 1
            parts.append(Part("item", item[2], level, item[1]))
            numbered = numbered or item[1] != "-"
            continue
        else:
            parts.append(Part("p", line))
        numbered = False
    return parts


OTHER_WORDS: tuple[dict[str, str], ...] = (
    {},
    {"boat": "barge", "lantern": "beacon", "token": "marker", "card": "tile", "barca": "gabarra", "farol": "fanal"}
    | {"carta": "loseta", "ficha": "pieza", "渔船": "驳船", "标记": "小木块", "玩家": "守灯人", "格子": "位置"},
    {"boat": "ship", "lantern": "lamp", "token": "counter", "player": "keeper", "barca": "nave", "farol": "candil"}
    | {"jugador": "farero", "carta": "tarjeta", "渔船": "船", "标记": "指示物", "夜晚": "黑夜", "格子": "水域"},
)


def book(text: str, copies: int) -> list[Part]:
    """The document several times over, from another chapter on and in other words each time: no two pages are alike."""
    chapters: list[list[Part]] = []
    for part in story(text):
        if part.kind == "heading" and part.level == 1:
            chapters.append([])
        chapters[-1].append(part)
    turns = [(n, chapters[n % len(chapters) :] + chapters[: n % len(chapters)]) for n in range(copies)]
    return [_reworded(part, n) for n, turn in turns for chapter in turn for part in chapter]


def _reworded(part: Part, copy: int) -> Part:
    for word, other in OTHER_WORDS[copy % len(OTHER_WORDS)].items():
        part = part._replace(text=part.text.replace(word, other).replace(word.capitalize(), other.capitalize()))
    return part
