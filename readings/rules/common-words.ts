// The letters and the commonest words of the languages that share a script. Letters that occur in names and rare loans alone are left out, and so is
// the Russian hard sign, by which Bulgarian is known.
import type { Language } from "../tables.ts";

interface Alphabet {
  /** A text with another letter is left to the detector. */
  readonly usual: string;
  /** Letters that identify the language: no other one that could be written with the usual letters has them. */
  readonly telling: string;
  /** In nineteen of twenty texts of the language its commonest words have more than this share of the weight. */
  readonly share: number;
}

export const alphabets: Readonly<Partial<Record<Language, Alphabet>>> = {
  en: { usual: "abcdefghijklmnopqrstuvwxyz", telling: "", share: 0.3 },
  pt: { usual: "abcdefghijlmnopqrstuvxzáâàçéêíóôú", telling: "ãõ", share: 0.28 },
  es: { usual: "abcdefghijlmnopqrstuvxyzáéíóúüñ", telling: "", share: 0.3 },
  fr: { usual: "abcdefghijklmnopqrstuvwxyzàâæçéèêëîïôœùûüÿ", telling: "", share: 0.3 },
  de: { usual: "abcdefghijklmnopqrstuvwxyzäöüß", telling: "", share: 0.28 },
  it: { usual: "abcdefghilmnopqrstuvzàèéìòù", telling: "", share: 0.27 },
  nl: { usual: "abcdefghijklmnopqrstuvwxyzéëïèóöüáí", telling: "", share: 0.3 },
  pl: { usual: "abcdefghijklmnoprstuwyzćó", telling: "ąęłńśźż", share: 0.36 },
  tr: { usual: "abcdefghijklmnoprstuvyzçöşüâîû", telling: "ğı", share: 0.32 },
  hu: { usual: "abcdefghijklmnoprstuvyzáéíóöúü", telling: "őű", share: 0.23 },
  fil: { usual: "abcdefghijklmnopqrstuvwxyzñ", telling: "", share: 0.3 },
  id: { usual: "abcdefghijklmnoprstuvwyz", telling: "", share: 0.2 },
  ru: { usual: "абвгдежзийклмнопрстуфхцчшщьюя", telling: "ёыэ", share: 0.22 },
  uk: { usual: "абвгдежзийклмнопрстуфхцчшщьюя", telling: "ґєії", share: 0.35 },
  ar: { usual: "ءآأؤإئابتثجحخدذرزسشصضطظعغفقكلمنهوىي", telling: "ة", share: 0.18 },
};

// The commonest words of the languages that share a script: those that we request, and those that the detector or a reader
// could take for one of them. No word has to be here, and none has to be missing: where words say too little, the detector is
// asked. A word that stands in several lists counts for each of them.
/** A language that we request has a long list, so that every sentence has some of it; a neighbor has the words that identify it. */
export const commonWords = {
  Latin: {
    en: `the of and to in is are was were be been being a an that this these those it its for with as on at by from or not
      but you your yours yourself we our us they their them he she his her him have has had will would can could may might
      should must do does did if when what which who how why there here than then more most less some any all no nor every
      each both into through about around after before without within between so let just only own one very much out up
      down over while because even where once still now too again another such until whether something nothing anyone`,
    es: `el la los las un una unos unas de del al a y e o u que qué en por para con sin sobre entre hasta desde como cómo más
      muy pero porque cuando donde quien quienes cual si sí no ni se le les lo te ti tu tú tus su sus mi nos es son está
      están ser estar era fue será ha han hay haya sea tiene tienen puede puedes este esta esto estos estas ese esa eso
      todo toda todos todas otro otra otros otras cada algo alguien nada también tampoco ya hoy aún así antes después
      mientras aunque tan poco mucho menos solo sólo mismo misma hacia durante según cualquier toda persona ello ante`,
    pt: `o a os as um uma uns umas de do da dos das no na nos nas ao aos à às pelo pela pelos pelas por para com sem sobre
      entre até desde e ou que se não mais muito mas porque quando onde quem como qual seu sua seus suas você lhe te me é
      são está estão ser estar foi era será tem têm ter haver pode podem há este esta estes estas isso isto esse essa
      aquele aquilo todo toda todos todas tudo outro outra outros outras cada algo alguém nada também já hoje ainda assim
      antes depois enquanto embora seja sejam num numa nem só pouco menos mesmo mesma sob segundo qualquer ninguém`,
    fr: `le la les l un une des de du d au aux à et ou où que qu qui quoi dont ce c cette ces cet cela ça se s sa son ses votre
      vos vous tu ton ta tes nous notre nos il elle ils elles on je j me m te t lui leur leurs ne n ni pas plus moins est
      sont être était sera soit avoir a ont avez êtes peut pouvez fait faire dans en par pour sur sous sans avec entre vers
      chez mais car donc si comme quand lorsque tout toute tous toutes autre autres même très bien aussi encore déjà peu
      trop y chaque rien ceux celle celui quelque quelques après avant puis afin ainsi nul toi`,
    de: `der die das den dem des ein eine einen einem einer eines und oder aber auch noch nur nicht kein keine ist sind war
      wird werden sein seine seiner haben hat hast kann können kannst soll muss darf ich du dich dir dein deine deinen
      deiner deinem sie ihr ihre ihren ihrer ihnen er es wir uns man sich mit von vom zu zum zur auf aus bei beim nach vor
      über unter durch für gegen ohne um an am im in ins als wie wenn weil dass ob was wer wo so sehr mehr schon doch denn
      da dann jetzt heute alle alles viel etwas jeder jede jedes mal selbst bis diese dieser dieses wieder bevor zwischen`,
    it: `il lo la i gli le l un uno una di d del dello della dei degli delle dell a ad al allo alla ai agli alle all da dal
      dalla dai dalle dall in nel nella nei nelle nell con su sul sulla sui sulle per tra fra e ed o ma se che chi cui non
      più meno molto poco come quando dove perché è sono era sia sarà essere avere ha hanno può puoi hai tuo tua tuoi tue
      suo sua loro ti te tu si ci vi mi ne lui lei questo questa questi queste ciò quello quella quel ogni tutto tutta tutti
      tutte altro altra altri altre anche ancora già oggi così prima dopo mentre senza qualcosa qualcuno niente nulla solo`,
    nl: `de het een van en of maar ook nog niet geen wel is zijn was wordt worden bent heeft hebt hebben kan kunt kunnen zal
      moet mag ik je jij jou jouw u uw hij zij ze we wij ons hun haar hem zich dat die dit deze er daar hier wat wie waar hoe
      als dan toen met op in aan te tot uit bij naar voor door over om onder tegen zonder na tussen meer veel al alle alles
      elke elk ieder iedere zo nu vandaag toch want omdat terwijl iets niets iemand jezelf weer af eens ander andere eigen`,
    pl: `i w we z ze na do od po za o u dla przez przy pod nad przed bez między się nie to ten ta te tę tego tej tym tych temu
      jest są być był była było będzie a ale lub albo oraz czy że żeby aby by bo gdy kiedy jak jako co kto który która które
      którym których jeśli jeżeli tak też także już jeszcze tylko bardzo więcej więc niż cię ci ciebie tobie twój twoja
      twoje twoich swój swoja swoje swoją swoich swojej mu jej jego ich go was wam każdy każda każde wszystko wszystkie coś
      ktoś nic może możesz warto teraz dziś sobie siebie zanim wobec lecz ani gdzie nawet`,
    tr: `ve bir bu da de ki ile için gibi kadar daha çok en ne o onu onun şu her hiç hiçbir ama ancak veya ya olan olarak olur
      olduğu olabilir olsa olmak var yok değil mi mı size sizi sizin siz senin sen sana seni kendi kendine kendinize
      kendinizi biraz bugün şimdi sonra önce zaman şey göre bile artık içinde üzerinde arasında karşı doğru hem ise eğer
      çünkü hep tüm bütün nasıl kez biri birini başka bazen bunu yeni iyi küçük yavaş kim hangi etmek ettiği eder edin
      verir verin yerine uzun kısa işte gün`,
    hu: `a az egy és vagy de hogy nem is ha mert csak még már most majd ami amit aki akit amely mint meg el ki be fel le ez ezt
      azt ezek azok ezért így úgy van vannak volt lesz lehet kell ön önt önnek önben önre te téged neked ne se sem minden
      mindent mindenki mindenkinek más sok több nagyon jól jó pedig után előtt alatt között mellett felé szerint saját maga
      magát magának nélkül akkor ahol amikor közben inkább akár bár hiszen ott itt ma egyik néhány valami valaki semmi
      legyen hagyja ahogy aztán talán éppen hozzá által amelyek olyan ilyen ennek annak abban arra erre ebben mindig néha újra
      együtt újabb érdemes tud tudja lassan vele neki nála itthon előbb később ahelyett aki akár idő`,
    fil: `ang ng sa mga na at ay ni si kay kung hindi para nang pero o isang isa ito iyon iyan iyong iyo inyong inyo ikaw ka mo
      ko niya nila kanya kanila kanyang kanilang siya sila kayo tayo natin namin ninyo may mayroon wala walang lahat bawat
      kapag dahil upang habang bago muna lang lamang din rin pa ba naman nga man dito doon ngayon maging huwag kaysa tungkol
      mula hanggang kahit gaya tulad anumang sino ano sapagkat nasa saka subalit`,
    id: `yang dan di ke dari untuk dengan pada dalam adalah ini itu anda kamu atau tidak akan bisa dapat telah sudah juga lebih
      karena agar jika saat ketika oleh sebagai seperti bagi tanpa antara sebuah satu hal diri sendiri sangat hanya masih
      lagi namun tetapi tapi maka bukan ada setiap semua para kepada hingga sampai apa siapa mana begitu banyak sedikit
      perlu harus mungkin jangan saja pun lalu sebelum setelah sambil secara bahwa orang hari
      baik baru lama besar kecil mulai membuat menjadi membantu terasa dengarkan biarkan seseorang segera kembali meski`,
    ca: `el els les la un una de del dels al als i o que en per amb sense és són no més molt però si com quan aquest aquesta
      això tot tota tots seu seva seves seus té tenen ser està també pot hi ho ni aquests dins vostre teva esta d l s m n t
      cap res gens dret drets llur nostre nostra qualsevol d altres fins tothom`,
    gl: `o a os as un unha unhas de do da dos das no na ao á e ou que en por para con sen non máis moi pero cando como seu súa
      súas é son está ten pode todo toda ningunha cal`,
    ro: `și de la în a cu pe un o al ale din că se nu este sunt pentru mai ce care sau prin dar fi are au să dacă lui ei orice
      sale unei unui cea cel într dumneavoastră tău ta`,
    da: `og i at det en den til er som på de med for af ikke der har et kan du din dit sig om men eller vil være fra skal når
      ved så efter hvis også blive enhver`,
    no: `og i det på som en er til å de av for at med ikke har den et kan du din ditt seg om men eller vil være fra skal når ved
      så etter hvis også bli enhver hver ei ein til eit dei ikkje ho`,
    sv: `och i att det en som på är av för med den till inte har de om ett kan du din ditt sig men eller ska vara från när så
      efter än också var envar skall`,
    is: `og að í er á sem til um það við með ekki fyrir þess hann eða en af frá hver`,
    af: `die en van in het is nie te wat om vir met n op aan sy dit dat jou ek hulle moet kan of sal deur elke geregtig word`,
    lb: `an de dat vun der e op fir mat net ass sinn all huet d eng gëtt oder zu mech dir och`,
    nds: `un de dat is to op för mit nich vun en hett oder sien ok wat dör`,
    sco: `the o an tae in is for wi on that his or nae hae frae aabody aw ony`,
    oc: `lo la los las un una de del dels e o que en per amb sens es son non pas mai tota tot sa aver dreit sus sos`,
    co: `u a i di da in è chì un per o cù hà esse ogni nantu à s e`,
    cs: `a v na se je že s z do to i k o ve pro jako ale není jsou by po si který které být nebo jen když už co jeho při podle
      od tak vám vás své každý má právo aby`,
    sk: `a v na sa je že s z do to aj k o vo pre ako ale nie sú by po si ktorý ktoré byť alebo len keď už čo jeho pri podľa od
      tak vám vás svoje každý má právo aby`,
    sl: `in v na se je da za z s so ki pa ne o po kot tudi ali če pri od do ima biti bi jih lahko vsak vsakdo`,
    hr: `i u na je se da za s od su ne koji koja koje ili kao što bi po iz o to ali biti ima svoje kada samo može svatko svako
      svaki nije pravo ga njegove`,
    hsb: `a w na so je z do ze za při po zo abo ma prawo jeho kóždy`,
    lt: `ir yra kad į su iš ar ne kaip tai bet jis turi teisę jo prie už apie kuris savo nuo žmogus`,
    lv: `un ir ka ar uz no par vai ne kas to viņa savu pie bet jo tiesības ikvienam`,
    et: `ja on et ei see kui ka või tema oma mis kes ning olla iga üks inimesel õigus`,
    fi: `ja on ei että se hän oli joka kun mutta myös tai niin kuin sen jokaisella ovat olla hänen oikeus`,
    sq: `dhe e të në për me një që i nga se është nuk si ka tij do ose këtë gjithkush drejtë`,
    eu: `eta da bat ez du dira edo ere dute izan den guztiek ditu orok bere baina hau hori gabe ezin oso norbere`,
    sc: `sa su sos sas de e in a unu una totu totus chi non est sunt cun pro dae issu ònnia deretu si o is po`,
    az: `və bir bu da də ilə üçün olan hər şəxs onun öz ya kimi edir malikdir sizin deyil`,
    tk: `we bir bu bilen her üçin bolan hem ýa öz onuň adam hukugy bolup`,
    uz: `va bu bir uchun har bilan ham yoki bir inson ega oʻz bo huquqiga`,
    crh: `ve bir bu da de ki ile içün kibi er olğan onıñ öz aqqı`,
    ku: `û ku li bi ji di de her ye ne an ya ên jî xwe`,
    vi: `và của là có các được cho trong không người một những với bạn`,
    jv: `lan ing kang sing ora karo kanggo saka marang iku utawa kabeh saben wong duwe ana`,
    su: `jeung nu ka dina ku teu anu henteu atawa ieu unggal saban jalma hak kana pikeun`,
    ceb: `ang sa nga ug mga si ni dili kay o kini iyang ka ko mo alang tungod ang may usa kag sang indi`,
    bcl: `an nin asin kan sa mga na si kag ini sarong gabos iyan siya saiyang may igwa man gikan para pag kun dai`,
    ilo: `ti iti ken dagiti a nga maysa wenno ni para kadagiti`,
    ia: `le de in e a un es non que pro per con o ha esser cata tote toto persona derecto su lor inter su`,
    pacific: `te o e i a ia ua le lo ma mo ona uma ka ke na no ta mai ai to me se he tagata taata tangata ato mau kia ei`,
  },
  Cyrillic: {
    ru: `и в во не на что с со а как это по но из у к ко от для за вы вас вам ваш ваша ваше ваши вашей вашего ваших вами он она
      они его её ее их им мы нас так же то все всё всех бы о об обо до или если когда уже только лишь еще ещё даже при есть
      быть был была было были будет чем чтобы себя себе свой своё свои свою своей своего своих тот того этот эта эти этого
      этой этом который которые которая которое кто где без под над через между после перед очень можно нужно может
      лучше более много нет ни да сейчас сегодня теперь тогда ты тебя тебе твой каждый
      каждую свое вместе сам сами чего чему кому кем ним ней нём них нему пусть потом сначала именно стоит время пока
      новый которую которых котором всегда никогда ничего больше немного куда хотя тоже снова рядом вдруг один одна одно другой
      другие других своих ещё всегда дайте уже`,
    uk: `і й та в у на не що з із зі а як це по але від до для за ви вас вам ваш ваша ваше ваші вашої вашого ваших вами він вона
      вони його її їх їм ми нас так же ж то все всі всіх б би о про або чи якщо коли вже тільки лише ще навіть при є бути
      був була було були буде ніж щоб себе собі свій своє свої свою своєї свого своїх того той цей ця ці цього цієї який
      які яка яке хто де без під над через між після перед дуже можна треба може краще більше тож ні нині сьогодні тепер
      тоді бо адже ти тебе тобі твій кожна кожен разом сам самі проте хай навіщо`,
    be: `і ў у на не што з са як гэта але ад да для за вы вас яго яе іх або калі ўжо толькі яшчэ быць ён яна яны які якая якія
      кожны мае пры сваё свае чалавек права ці`,
    bg: `и на да се в във за от е не с със че по са като до или ще си му ни ви вие той тя те това този тази тези които който
      когато всеки има може както към при бъде бъдат трябва`,
    mk: `и на да се во за од е не со дека по како до или ќе си му ги го тој тоа овој секој има може кој што`,
    sr: `и у на је се да за са од су не који која које или као што би по из о то али бити има своје када само може сваки ће ни
      свако његов`,
  },
  Arabic: {
    ar: `من في على إلى عن أن إن لا ما هذا هذه ذلك تلك التي الذي الذين و أو قد كل مع بين كان كانت يكون تكون لم لن هو هي هم بعد قبل
      عند إذا حتى ثم لك لكن غير كما بل أي فقد فهو فهي منك عليك إليك أنت نفسك نفسه اليوم حين لدى سوف شيء بعض دون أكثر ولا ومن وفي
      وأن لأن ليس حول خلال فيه فيها به بها له لها منه منها عليه عليها وإن ما مما كي فلا وقد الآن ولو لو لما أمام نحو تجاه حيث
      عندما بينما وما وهو وهي عنك فيك بك معك ذاتك كلما فإن ولكن أيضا بكل لكل أحد شخص أية وعلى بما وإلى وكل هنا هناك دائما قليل
      قليلا كثيرا ربما مثل فوق تحت ضد إنسان إليه بد يوم`,
    fa: `و در به از که این را با است برای آن یک خود تا بر هر یا هم شما می باید نیز شود دارد های حق او کس`,
    ur: `اور کے کی میں ہے کو کا سے پر کہ یہ اس نے ہیں بھی نہیں ایک جو تو آپ یا ہر شخص`,
    ckb: `و لە بە کە بۆ هەر یان ئەو لەگەڵ بێ ھەر هەموو مرۆڤێک`,
    ps: `د په او چې له هر څوک دی کښې لري دا`,
    ug: `ۋە ھەر بىر بىلەن ئۈچۈن ياكى`,
  },
} as const;
